// The start of the live page: whose memory, what is drawn first, and what the shared parts of the graph page do here.
/* global page, state, graph, choose, picture, search, results, closeResults, resultItems, byId, make, bdi, plural, shortName, TURNING */
/* global refresh, showCanvas, lens, follow, layout */
import { allowChanges } from "./actions.js";
import { get, key, onKeyNeeded, scope, unscoped } from "./api.js";
import { ask, failed } from "./dialogs.js";
import { entityParts, forgetEvidence } from "./entity.js";
import { named } from "./parts.js";
import * as routes from "./routes.js";
import { asOf, loadDays, onDay } from "./time.js";
import { drop, loadNear, loadOverview, NEAR, setTypes, truncated } from "./walk.js";
import "./answers.js";
import "./changes.js";
import "./conversation.js";
import "./memory.js";
import "./things.js";

// The key, where the server needs one.

onKeyNeeded((reason) =>
  ask({
    title: "This memory needs a key",
    text: [reason ? `${reason} ` : "", "`mem0g serve add-key` makes one. It stays in this tab, and is forgotten when the tab is closed."],
    fields: [{ name: "key", label: "Key", type: "password", required: true }],
    confirm: "Open",
    cancel: "",
    run: ({ key: given }) => {
      if (!key.usable(given)) throw new Error("That is not a key.");
      return given;
    },
  }));

// Whose memory.

const label = (each) => Object.entries(each).filter(([, value]) => value).map(([name, value]) => `${name.replace("_id", "")} ${value}`).join(", ");

async function chooseScope(granted) {
  const found = await unscoped("scopes");
  const wide = granted ? [granted] : found.map((each) => Object.fromEntries(Object.entries(each).filter(([, value]) => value).slice(0, 1)));
  const choices = new Map([...wide, ...found].map((each) => {
    const given = Object.fromEntries(Object.entries(each).filter(([, value]) => value));
    return [JSON.stringify(given), given];
  }));
  const remembered = choices.get(scope.remembered());
  const first = remembered || granted || choices.values().next().value;
  const select = byId("scope");
  select.hidden = choices.size < 2;
  select.replaceChildren(...[...choices].map(([value, each]) => make("option", { value }, shortName(label(each)))));
  select.onchange = () => {
    scope.choose(choices.get(select.value));
    routes.go();
    load().catch(failed);
  };
  if (!first) return false;
  scope.choose(first);
  select.value = JSON.stringify(scope.value);
  return true;
}

// What is loaded: all of it at the start and for another scope, what is shown again after a change.

async function load() {
  byId("fresh").hidden = true;
  latest = null;
  drop();
  forgetEvidence();
  const [{ types }, stats] = await Promise.all([get("directory", { limit: 1 }), get("stats")]);
  setTypes(types.map(({ type }) => type).filter((type) => type.trim()));
  showCounts(stats);
  look();
  loadDays().catch(failed); // reads all facts: what is shown first does not wait for it
  await loadOverview();
  routes.follow();
}

function showCounts(stats) {
  const title = label(scope.value).replace(TURNING, "");
  byId("title").textContent = title;
  document.title = `${title} · mem0g`;
  const retired = stats.retired ? ` (${stats.retired.toLocaleString("en")} retired)` : "";
  byId("counts").textContent = `${plural(stats.entities, "entity", "entities")}, ${plural(stats.facts, "fact", "facts")}${retired}`;
}

onDay(async () => {
  try {
    if (routes.route.name === "answers") routes.follow();
    if (!asOf()) return;
    if (state.node && !state.node.isLiteral && truncated(state.node.id, NEAR)) await loadNear(state.node.id, { day: asOf() });
    else if (!state.node) await loadOverview(asOf());
  } catch (error) {
    failed(error);
  }
});

// What the parts that this page shares with that of one graph do here.

page.panel = () => (routes.route.name === "entity" ? entityParts() : [routes.route.element].filter(Boolean));

let finding = 0;
page.find = (query) => {
  clearTimeout(finding);
  results.hidden = !query;
  if (!query) return;
  const answers = make("li", {}, make("button", { type: "button", onclick: () => askMemory(query) }, "Ask: ", bdi(query)));
  results.replaceChildren(answers);
  finding = setTimeout(async () => {
    const entities = await named(query).catch(() => []);
    if (search.value.trim() !== query) return;
    const items = entities.map((entity) => ({ ...entity, shown: entity.name }));
    results.replaceChildren(answers, ...(items.length ? resultItems({ entities: items, facts: [] }, choose) : []));
  }, 150);
};

function askMemory(query) {
  closeResults();
  routes.go("answers", query);
}

// The view glides to the neighbourhood of the entity that was chosen, or to everything.
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
page.follow = () => {
  const near = lens && graph.entities.includes(lens) ? [lens, ...lens.facts.flatMap((fact) => [fact.subject, fact.object])] : graph.entities;
  const [from, to] = [picture.view, picture.fitted(near)];
  const far = Math.hypot(to.x - from.x, to.y - from.y) * to.scale > 1 || Math.abs(Math.log(to.scale / from.scale)) > 0.01;
  const step = still.matches || !far ? 1 : 0.18;
  picture.view = { x: from.x + (to.x - from.x) * step, y: from.y + (to.y - from.y) * step, scale: from.scale * (to.scale / from.scale) ** step };
  return far && step < 1;
};

// A memory that others add to: whether it has changed is asked for now and then, while the page is in sight.

const PULSE = 20_000; // milliseconds
let latest = null;

async function look() {
  if (document.hidden || !scope.chosen()) return;
  const { decisions } = await get("changes", { limit: 1 }).catch(() => ({ decisions: [] }));
  const found = decisions.length ? decisions[0].id : latest;
  byId("fresh").hidden = byId("fresh").hidden && (latest === null || found === latest);
  latest = found;
}

byId("fresh").addEventListener("click", () => load().catch(failed));

async function start() {
  showCanvas();
  const { scope: granted, read_only: readOnly } = await unscoped("me");
  allowChanges(!readOnly, load);
  if (await chooseScope(granted)) await load();
  else byId("empty").hidden = false;
}

setInterval(look, PULSE);
start().catch(failed);
