"use strict";
// The start: everything put in its place.

function start() {
  const retired = graph.facts.filter((fact) => !fact.current).length;
  byId("title").textContent = graph.title || "Graph";
  byId("counts").textContent = [
    plural(graph.entities.length, "entity", "entities"),
    plural(graph.facts.length, "fact", "facts") + (retired ? ` (${retired.toLocaleString("en")} retired)` : ""),
  ].join(", ");
  byId("empty").hidden = graph.entities.length > 0;
  state.node = graph.entities.find((node) => node.isRoot) || null;
  showLegend();
  startTimeline();
  refresh();
  new ResizeObserver(() => {
    picture.resize();
    redraw();
  }).observe(canvas);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    picture.readColours();
    redraw();
  });
  picture.resize();
  const until = performance.now() + 250; // the first picture is nearly at rest: less to watch crawling
  while (!layout.settled && performance.now() < until) layout.step();
}

start();
