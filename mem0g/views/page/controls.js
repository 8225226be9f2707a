"use strict";
// What the user does: pointer, keyboard, search, legend, time.

const PAN = 60; // pixels per arrow key

// The pointer: drag an entity, drag the ground, click, pinch; the wheel zooms.

const pointers = new Map();
let drag = null;

function spotOf(event) {
  const box = canvas.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

canvas.addEventListener("pointerdown", (event) => {
  const spot = spotOf(event);
  pointers.set(event.pointerId, spot);
  canvas.setPointerCapture(event.pointerId);
  drag = { node: pointers.size === 1 ? picture.nodeAt(spot) : null, from: spot, moved: pointers.size > 1 };
});

canvas.addEventListener("pointermove", (event) => {
  const spot = spotOf(event);
  const last = pointers.get(event.pointerId);
  if (!last) return hover(spot);
  if (pointers.size === 2) pinch(event.pointerId, last, spot);
  else if (drag.moved || Math.hypot(spot.x - drag.from.x, spot.y - drag.from.y) > 4) moveBy(last, spot);
  else return undefined; // a click that trembles is no drag
  pointers.set(event.pointerId, spot);
  return redraw();
});

function moveBy(last, spot) {
  drag.moved = true;
  follow = false;
  canvas.classList.add("dragging");
  if (!drag.node) {
    picture.pan(spot.x - last.x, spot.y - last.y);
    return;
  }
  Object.assign(drag.node, picture.toWorld(spot), { pinned: true });
  layout.warm(0.25);
}

function pinch(id, last, spot) {
  const [, other] = [...pointers].find(([key]) => key !== id);
  const span = (point) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
  follow = false;
  picture.zoom(span(spot) / span(last), { x: (spot.x + other.x) / 2, y: (spot.y + other.y) / 2 });
}

function hover(spot) {
  const node = picture.nodeAt(spot);
  canvas.classList.toggle("over", Boolean(node || picture.factAt(spot)));
  if (node === state.under) return;
  state.under = node;
  updateLooks();
  redraw();
}

function release(event) {
  if (!pointers.delete(event.pointerId) || !drag) return;
  canvas.classList.remove("dragging");
  if (drag.node) drag.node.pinned = false;
  if (!drag.moved && event.type === "pointerup") click(drag.from);
  drag = pointers.size ? { node: null, from: drag.from, moved: true } : null;
}
canvas.addEventListener("pointerup", release);
canvas.addEventListener("pointercancel", release);
canvas.addEventListener("pointerleave", () => {
  state.under = null;
  updateLooks();
  redraw();
});

function click(spot) {
  const node = picture.nodeAt(spot);
  const fact = node ? null : picture.factAt(spot);
  if (fact) choose.fact(fact);
  else choose.entity(node);
}

canvas.addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    zoom(Math.exp(Math.max(-120, Math.min(120, event.deltaY * lines)) * -0.0022), spotOf(event));
  },
  { passive: false },
);

function zoom(factor, spot) {
  follow = false;
  picture.zoom(factor, spot);
  redraw();
}

function fit() {
  follow = true;
  lens = null;
  redraw();
}

byId("zoom-in").addEventListener("click", () => zoom(1.35));
byId("zoom-out").addEventListener("click", () => zoom(1 / 1.35));
byId("zoom-fit").addEventListener("click", fit);

// The keyboard.

function pan(dx, dy) {
  follow = false;
  picture.pan(dx, dy);
  redraw();
}

function neighbour(step) {
  if (!state.node) return choose.entity(graph.entities[0] || null);
  const facts = state.node.facts.filter((fact) => factState(fact) !== "hidden");
  if (!facts.length) return undefined;
  const next = facts.indexOf(state.fact) + step;
  return chooseHere(facts[(next + facts.length) % facts.length]);
}

// Goes to a fact without leaving the canvas; Enter then follows it to its other end.
function chooseHere(fact) {
  choose.fact(fact);
  canvas.focus();
}

function followFact() {
  if (!state.fact) return;
  choose.entity(state.fact.subject === state.node ? state.fact.object : state.fact.subject);
}

const KEYS = {
  ArrowLeft: () => pan(PAN, 0),
  ArrowRight: () => pan(-PAN, 0),
  ArrowUp: () => pan(0, PAN),
  ArrowDown: () => pan(0, -PAN),
  "+": () => zoom(1.35),
  "=": () => zoom(1.35),
  "-": () => zoom(1 / 1.35),
  0: fit,
  n: () => neighbour(1),
  p: () => neighbour(-1),
  Enter: followFact,
};

canvas.addEventListener("keydown", (event) => {
  if (!KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  KEYS[event.key]();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.target.closest("dialog")) escape();
  if (event.key !== "/" || event.target.matches("input, select, textarea")) return;
  event.preventDefault();
  byId("search").focus();
});

function escape() {
  if (!byId("results").hidden) return closeResults();
  return choose.entity(null);
}

// The search box.

const search = byId("search");
const results = byId("results");

function closeResults() {
  results.hidden = true;
}

search.addEventListener("input", () => page.find(search.value.trim()));

byId("search").parentElement.addEventListener("keydown", (event) => {
  const buttons = [...results.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement);
  if (event.key === "Enter" && at < 0 && buttons.length && !results.hidden) buttons[0].click();
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const next = at + (event.key === "ArrowDown" ? 1 : -1);
  (next < 0 ? search : buttons[Math.min(next, buttons.length - 1)] || search).focus();
});

document.addEventListener("pointerdown", (event) => {
  if (!search.parentElement.contains(event.target)) closeResults();
});

// Retired facts, the legend, time.

byId("show-retired").addEventListener("change", (event) => {
  state.showRetired = event.target.checked;
  refresh();
});

function showLegend() {
  const items = graph.kinds.map(({ name, count, colour }) => {
    const pick = () => {
      state.colour = state.colour === colour ? null : colour;
      refresh();
      showLegend();
      document.querySelector(`#legend [data-colour="${colour}"]`).focus();
    };
    const pressed = String(state.colour === colour);
    return make("li", {}, make("button", { type: "button", "data-colour": colour, "aria-pressed": pressed, onclick: pick }, dot(colour), bdi(name), make("small", {}, String(count))));
  });
  byId("legend").replaceChildren(...items);
}

const day = byId("day");
let playing = 0;

function showDay() {
  state.day = days[day.valueAsNumber];
  byId("as-of").textContent = `as of ${isoDay(state.day)}`;
  day.setAttribute("aria-valuetext", isoDay(state.day));
  refresh();
  page.dayChanged();
}

function stop() {
  clearInterval(playing);
  playing = 0;
  byId("play").textContent = "▶";
}

function play() {
  if (playing) return stop();
  if (day.valueAsNumber === days.length - 1) day.value = 0;
  byId("play").textContent = "❚❚";
  showDay();
  playing = setInterval(() => {
    day.value = day.valueAsNumber + 1;
    showDay();
    if (day.valueAsNumber === days.length - 1) stop();
  }, Math.max(120, Math.min(900, 20000 / days.length)));
  return undefined;
}

// Puts the slider at the end of these days, as `changeDays` returns them.
function startTimeline(changes) {
  stop();
  days = changes;
  state.day = days.length ? days[days.length - 1] : Infinity;
  byId("timeline").hidden = days.length < 2;
  if (days.length < 2) return;
  day.max = String(days.length - 1);
  day.value = day.max;
  byId("first-day").textContent = isoDay(days[0]);
  byId("last-day").textContent = isoDay(days[days.length - 1]);
  showDay();
}

day.addEventListener("input", () => {
  stop();
  showDay();
});
byId("play").addEventListener("click", play);
