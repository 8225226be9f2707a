// The view of an entity: its neighbourhood is fetched and drawn; the chosen fact shows what it stands on.
/* global make, state, graph, choose, closeResults, reveal, refresh, byId, factState, entityPanel, factTimes, layout, redraw */
/* global lens: writable, follow: writable */
import { get } from "./api.js";
import { correct, mayChange, merge, retire, split } from "./actions.js";
import { failed } from "./dialogs.js";
import { action, link, quiet, turn } from "./parts.js";
import { go, goInstead, route, view } from "./routes.js";
import { asOf } from "./time.js";
import { loadNear, NEAR, truncated } from "./walk.js";

const MOST = 1000; // facts of one entity that are loaded when asked for

view("entity", (id, factId) => {
  choosing(id, factId);
  const node = state.node;
  if (!node || !node.isLiteral) fetched(id, factId, !node);
  return quiet("Loading…"); // shown until the entity is there
});

view("fact", (id) => {
  get(["facts", id])
    .then((fact) => goInstead("entity", fact.subject_id, fact.id))
    .catch(failed);
  return quiet("Loading…");
});

function choosing(id, factId) {
  const known = graph.entities.find((node) => node.id === id) || null;
  const fact = graph.facts.find((each) => each.key === factId) || null;
  if (known !== state.node) [lens, follow] = [known, true];
  [state.node, state.fact] = [known, fact];
  closeResults();
  refresh();
  showChosen();
}

async function fetched(id, factId, isNew) {
  try {
    await loadNear(id, { day: truncated(id, NEAR) ? asOf() : null });
    if (factId && !graph.facts.some((fact) => fact.key === factId)) await loadNear(id, { limit: MOST });
  } catch (error) {
    if (isNew && route.given[0] === id) route.element = quiet(error.message);
    else failed(error);
  }
  if (route.name !== "entity" || route.given[0] !== id) return;
  if (isNew || (factId && !state.fact)) choosing(id, factId);
  else refresh();
}

function showChosen() {
  const item = document.querySelector(".fact.chosen");
  if (!item) byId("panel").scrollTop = 0;
  else {
    scrollTo(item);
    item.querySelector("button").focus({ preventScroll: true });
  }
}

function scrollTo(item) {
  item.scrollIntoView({ block: item.offsetHeight > byId("panel").clientHeight ? "start" : "nearest" });
}

choose.entity = (node) => (node ? go("entity", node.id) : go());
choose.fact = (fact) => {
  if (!fact) return state.node && go("entity", state.node.id);
  const node = state.node && state.node.facts.includes(fact) ? state.node : fact.subject;
  return go("entity", node.id, fact.key);
};

// What the panel shows while an entity is chosen.
export function entityParts() {
  const node = state.node;
  if (!node) return [route.element];
  const parts = entityPanel(node, node.facts, state.fact, factState, choose, details);
  const buttons = mayChange() && !node.isLiteral
    ? [action("Merge…", () => merge(node)), node.aliases.length ? action("Split off a name…", () => split(node)) : ""]
    : [];
  const more = truncated(node.id, NEAR)
    ? [quiet(`These are the latest of its facts. `, action("Load more", () => loadNear(node.id, { limit: MOST }).then(refresh, failed)))]
    : [];
  return [...parts, ...more, buttons.length ? make("p", { class: "buttons" }, ...buttons) : ""].filter((part) => part !== "");
}

const evidence = new Map(); // elements by fact, which fill when the evidence is loaded

export function forgetEvidence() {
  evidence.clear();
}

function details(fact) {
  if (!evidence.has(fact.key)) {
    const element = make("div", { class: "evidence" }, quiet("Loading…"));
    evidence.set(fact.key, element);
    get(["facts", fact.key, "why"])
      .then((found) => {
        element.replaceChildren(...explained(found));
        if (element.closest(".fact")) scrollTo(element.closest(".fact"));
      })
      .catch((error) => {
        evidence.delete(fact.key);
        element.replaceChildren(quiet(error.message));
      });
  }
  const buttons = mayChange() && fact.current
    ? make("p", { class: "buttons" }, action("Correct…", () => correct(fact)), action("No longer true…", () => retire(fact)))
    : "";
  return [factTimes(fact), evidence.get(fact.key), buttons];
}

function explained({ fact, evidence: messages, decisions, successions }) {
  const about = decisions.filter((each) => each.fact_id === fact.id || each.targets.includes(fact.id));
  const said = messages.filter((message) => fact.evidence.includes(message.id));
  const replaced = successions.filter((each) => each.fact_id !== fact.id);
  const by = successions.filter((each) => each.fact_id === fact.id && each.successor_id);
  const text = (id) => graph.facts.find((each) => each.key === id)?.text || "another fact";
  const line = (label, id) => make("p", {}, `${label}: `, link(text(id), "fact", id));
  return [
    ...said.map((message) => make("div", {}, turn(message), make("p", { class: "edge" }, link("in its conversation", "message", message.id)))),
    said.length ? "" : quiet("No message states it: it was added by hand."),
    ...replaced.map((each) => line("It replaced", each.fact_id)),
    ...by.map((each) => line("It was replaced by", each.successor_id)),
    about.length ? make("ul", { class: "decisions" }, ...about.map(decided)) : "",
  ].filter((part) => part !== "");
}

function decided({ operation, reason, rule, decided_by: by }) {
  return make("li", {}, make("code", {}, operation), ` ${reason || rule} `, make("small", { class: "quiet" }, `by ${by === "user" ? "hand" : by}`));
}
