// Pieces that several views are made of: views that load, links, facts and messages as they are listed.
/* global make, bdi, dot, shownTime, interval, plural */
import { get } from "./api.js";
import { address } from "./routes.js";

// An element that is filled when its content is loaded: `load(element)` is asynchronous, an error is said in its place.
export function loading(load) {
  const element = make("section", { "aria-busy": "true" }, make("p", { class: "quiet" }, "Loading…"));
  load(element)
    .catch((error) => element.replaceChildren(make("p", { class: "problem" }, error.message), make("p", { class: "quiet" }, error.hint || "")))
    .finally(() => element.removeAttribute("aria-busy"));
  return element;
}

export function link(text, ...to) {
  return make("a", { href: address(...to) }, bdi(text));
}

export function quiet(...text) {
  return make("p", { class: "quiet" }, ...text);
}

export function action(label, run, attributes = {}) {
  return make("button", { type: "button", class: "action", onclick: run, ...attributes }, label);
}

// A fact as the API returns it, as one item of a list; it leads to its entity.
export function factItem(fact, ...more) {
  const retired = Boolean(fact.retired_at);
  const shown = { ...fact, current: !retired, valid_from: fact.valid_from || "", valid_to: fact.valid_to || "" };
  const when = interval(shown);
  return make("li", { class: `fact${retired ? " retired" : ""}` },
    make("a", { class: "sentence", href: address("entity", fact.subject_id, fact.id), dir: "auto" }, fact.text),
    make("p", { class: "edge" }, link(fact.subject, "entity", fact.subject_id), " ", make("code", {}, fact.relation), " → ",
      fact.object_type === "literal" ? bdi(fact.object) : link(fact.object, "entity", fact.object_id),
      when ? make("span", { class: "when" }, ` · ${when}`) : "", retired ? " " : "", retired ? make("span", { class: "badge" }, "retired") : ""),
    ...more);
}

const LONG = 600; // characters of a message that are shown at first

export function turn(message, { here = false, text = message.text } = {}) {
  const body = make("p", { class: "said", dir: "auto" }, text.length > LONG ? `${text.slice(0, LONG)}…` : text);
  const whole = text.length > LONG && action("Show all", (event) => {
    body.textContent = text;
    event.target.remove();
  });
  return make("article", { class: `turn ${message.role}${here ? " here" : ""}`, "aria-current": here && "true" },
    make("header", {}, make("strong", {}, bdi(message.speaker || message.role)), message.time ? make("time", {}, shownTime(message.time)) : ""),
    body, whole || "");
}

export function entityItem(entity, colour) {
  return make("li", {}, make("a", { class: "thing", href: address("entity", entity.id) },
    dot(colour), bdi(entity.name.trim() || entity.id), make("small", {}, plural(entity.facts, "fact", "facts"))));
}

// The first entities with a part of a name, for suggestions.
export async function named(part, limit = 8) {
  return part ? (await get("directory", { named: part, limit })).entities : [];
}
