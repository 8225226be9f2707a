"use strict";
// The page's state: the graph, what is chosen and shown, and how that looks.

const LAYOUT_TIME = 8; // milliseconds of layout per frame: drawing takes about as long

const byId = (id) => document.getElementById(id);
let graph = readGraph({ nodes: [], edges: [], graph: {} });
let days = []; // the stops of the time slider
const state = {
  node: null, // the chosen entity
  fact: null, // the chosen fact
  under: null, // the entity under the pointer
  colour: null, // the type picked in the legend
  showRetired: true,
  day: Infinity,
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
const layout = new Layout([], []);
const picture = new Picture(canvas, [], [], (item) => looks.get(item));
let frame = 0;
let follow = true; // keep everything in view until the user moves it
let lens = null; // the entity whose neighbourhood is kept in view, instead of everything

// Draws this graph (as node-link JSON) from now on; what was drawn before stays where it is, chosen if it was.
function setGraph(data, order) {
  const before = new Map(graph.entities.map((node) => [node.id, node]));
  const [node, fact, seen] = [state.node && state.node.id, state.fact && state.fact.key, lens && lens.id];
  graph = readGraph(data, order);
  for (const each of graph.entities) if (before.has(each.id)) Object.assign(each, { x: before.get(each.id).x, y: before.get(each.id).y });
  looks.clear();
  layout.take(graph.entities, graph.links);
  picture.take(graph.entities, graph.facts);
  state.node = graph.entities.find((each) => each.id === node) || null;
  state.fact = graph.facts.find((each) => each.key === fact) || null;
  lens = graph.entities.find((each) => each.id === seen) || null;
  state.under = null;
  updateLooks();
}

// What another page that draws graphs replaces: the panel, what the search box does, what follows the slider.
const page = {
  panel: () =>
    state.node
      ? entityPanel(state.node, state.node.facts, state.fact, factState, choose)
      : overviewPanel(graph.title, graph.entities, choose),
  find(query) {
    results.hidden = !query;
    if (query) results.replaceChildren(...resultItems(found(query, graph.entities, graph.facts), choose));
  },
  dayChanged() {},
  // Moves the view to what is followed; true while it is still on its way.
  follow() {
    picture.view = picture.fitted(graph.entities);
    return false;
  },
};

function redraw() {
  frame = frame || requestAnimationFrame(() => {
    frame = 0;
    const until = performance.now() + LAYOUT_TIME;
    while (!layout.settled && performance.now() < until) layout.step();
    const moving = follow && page.follow();
    picture.draw();
    if (!layout.settled || moving) redraw();
  });
}

function refresh() {
  updateLooks();
  showPanel();
  redraw();
}

function showPanel() {
  keepFocus(byId("panel"), (panel) => panel.replaceChildren(...page.panel()));
  canvas.setAttribute("aria-label", state.node ? `Graph; chosen: ${state.node.shown}` : `Graph of ${plural(graph.entities.length, "entity", "entities")}`);
}

// Fills an element anew; the focus goes to what has the same text as what had it.
function keepFocus(element, fill) {
  const had = element.contains(document.activeElement) ? document.activeElement.textContent : null;
  fill(element);
  if (had === null || element.contains(document.activeElement)) return;
  const same = [...element.querySelectorAll("a, button, summary")].find((each) => each.textContent === had);
  if (same) same.focus({ preventScroll: true });
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

// Starts to draw: the canvas fills its place, in the colours of the time of day.
function showCanvas() {
  new ResizeObserver(() => {
    picture.resize();
    redraw();
  }).observe(canvas);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    picture.readColours();
    redraw();
  });
  picture.resize();
}

// Brings a new graph nearly to rest before it is seen: less to watch crawling.
function settle() {
  const until = performance.now() + 250;
  while (!layout.settled && performance.now() < until) layout.step();
}
