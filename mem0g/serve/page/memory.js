// The view of the memory as a whole: how much it holds, what language models cost, and the key of this page.
/* global make, bdi, plural, shownTime */
import { get, key } from "./api.js";
import { mayChange } from "./actions.js";
import { action, loading, quiet } from "./parts.js";
import { view } from "./routes.js";

const COUNTS = { messages: "messages", sessions: "sessions", entities: "people and things", facts: "facts", retired: "of them retired", windows: "waiting to be extracted", reviews: "waiting for a review" };
const shown = (number) => number.toLocaleString("en");

view("memory", () =>
  loading(async (element) => {
    const [stats, costs] = await Promise.all([get("stats"), get("costs")]);
    element.replaceChildren(
      make("h2", {}, "This memory"),
      pairs(Object.entries(COUNTS).filter(([name]) => stats[name] || !name.endsWith("ws")).map(([name, label]) => [label, shown(stats[name])])),
      stats.last_message ? quiet(`Messages from ${shownTime(stats.first_message)} to ${shownTime(stats.last_message)}.`) : "",
      make("h3", {}, "Costs"),
      ...(costs.length ? [total(costs), ...costs.map(cost)] : [quiet("No language model was called.")]),
      make("h3", {}, "Commonest relations"),
      pairs(Object.entries(stats.relations).slice(0, 12).map(([name, count]) => [name, shown(count)])),
      make("h3", {}, "This page"),
      quiet(mayChange() ? "Facts can be corrected here; each change can be undone." : "This page only reads: nothing can be changed here."),
      key.get() ? action("Forget the key", forget) : "",
    );
  }));

function pairs(rows) {
  return make("dl", { class: "counts" }, ...rows.flatMap(([name, value]) => [make("dt", {}, bdi(name)), make("dd", {}, value)]));
}

const sum = (costs, name) => costs.reduce((total, each) => total + each[name], 0);

function total(costs) {
  const tokens = sum(costs, "prompt_tokens") + sum(costs, "completion_tokens");
  return make("p", {}, `${plural(sum(costs, "calls"), "call of a language model", "calls of language models")}, ${shown(tokens)} tokens.`);
}

function cost({ purpose, model, calls, cached, bad, prompt_tokens: asked, completion_tokens: answered, seconds }) {
  const notes = [cached ? `${shown(cached)} from the cache` : "", bad ? `${shown(bad)} with a problem` : ""].filter(Boolean).join(", ");
  return make("article", { class: "cost" }, make("header", {}, make("b", {}, bdi(purpose)), make("small", {}, bdi(model))),
    pairs([["calls", shown(calls) + (notes && ` (${notes})`)], ["tokens sent", shown(asked)], ["tokens received", shown(answered)], ["seconds", seconds.toFixed(1)]]));
}

function forget() {
  key.set("");
  location.hash = "";
  location.reload();
}
