"use strict";
// The page's state: the graph, what is chosen and shown, and how that looks.

const LAYOUT_TIME = 12; // milliseconds of layout per frame

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const graph = readGraph(data);
const days = changeDays(graph.facts);
const state = {
  node: null, // the chosen entity
  fact: null, // the chosen fact
  under: null, // the entity under the pointer
  colour: null, // the type picked in the legend
  showRetired: true,
  day: days.length ? days[days.length - 1] : Infinity,
};

// What is shown: worked out once per change of state, not per frame.

const looks = new Map();

function factState(fact) {
  const now = stateOn(fact, state.day);
  return now === "retired" && !state.showRetired ? "hidden" : now;
}

function updateLooks() {
  const focus = state.node || state.under;
  for (const fact of graph.facts) {
    const now = factState(fact);
    const touches = focus !== null && now !== "hidden" && (fact.subject === focus || fact.object === focus);
    const faded = (focus !== null && !touches && fact !== state.fact) || offColour(fact.subject, fact.object);
    looks.set(fact, { hidden: now === "hidden", retired: now === "retired", faded, strong: touches || fact === state.fact, chosen: fact === state.fact });
  }
  for (const node of graph.entities) {
    const shown = node.facts.filter((fact) => !looks.get(fact).hidden);
    const near = focus === null || node === focus || node.facts.some((fact) => looks.get(fact).strong);
    looks.set(node, {
      hidden: node.facts.length > 0 && !shown.length && !node.isRoot && node !== state.node,
      retired: shown.length > 0 && shown.every((fact) => looks.get(fact).retired),
      faded: !near || offColour(node),
      strong: focus !== null && near,
      chosen: node === state.node,
    });
  }
}

function offColour(...nodes) {
  return state.colour !== null && nodes.every((node) => node.colour !== state.colour);
}

const canvas = byId("canvas");
const layout = new Layout(graph.entities, graph.links);
const picture = new Picture(canvas, graph.entities, graph.facts, (item) => looks.get(item));
let frame = 0;
let follow = true; // keep everything in view until the user moves it

function redraw() {
  frame = frame || requestAnimationFrame(() => {
    frame = 0;
    const until = performance.now() + LAYOUT_TIME;
    while (!layout.settled && performance.now() < until) layout.step();
    if (follow) picture.fit();
    picture.draw();
    if (!layout.settled) redraw();
  });
}

function refresh() {
  updateLooks();
  showPanel();
  redraw();
}

function showPanel() {
  const parts = state.node
    ? entityPanel(state.node, state.node.facts, state.fact, factState, choose)
    : overviewPanel(graph.title, graph.entities, choose);
  byId("panel").replaceChildren(...parts);
  canvas.setAttribute("aria-label", state.node ? `Graph; chosen: ${state.node.shown}` : `Graph of ${plural(graph.entities.length, "entity", "entities")}`);
}

const choose = {
  entity(node) {
    [state.node, state.fact] = [node, null];
    closeResults();
    reveal(node);
    refresh();
    byId("panel").scrollTop = 0;
  },
  fact(fact) {
    if (fact && (!state.node || !state.node.facts.includes(fact))) state.node = fact.subject;
    state.fact = fact;
    closeResults();
    refresh();
    const item = document.querySelector(".fact.chosen");
    if (item) {
      item.scrollIntoView({ block: "nearest" });
      item.querySelector("button").focus({ preventScroll: true });
    }
  },
};

// Brings an entity that is outside of the view, or near its border, into the middle.
function reveal(node) {
  if (!node || !layout.settled) return;
  const at = picture.toScreen(node);
  if (at.x > 40 && at.y > 40 && at.x < picture.width - 40 && at.y < picture.height - 40) return;
  follow = false;
  [picture.view.x, picture.view.y] = [node.x, node.y];
}
