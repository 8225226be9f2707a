"use strict";
// The start of the page of one graph: everything put in its place.

function start() {
  setGraph(JSON.parse(byId("data").textContent));
  const retired = graph.facts.filter((fact) => !fact.current).length;
  byId("title").textContent = graph.title || "Graph";
  byId("counts").textContent = [
    plural(graph.entities.length, "entity", "entities"),
    plural(graph.facts.length, "fact", "facts") + (retired ? ` (${retired.toLocaleString("en")} retired)` : ""),
  ].join(", ");
  byId("empty").hidden = graph.entities.length > 0;
  state.node = graph.entities.find((node) => node.isRoot) || null;
  showLegend();
  startTimeline(changeDays(graph.facts));
  refresh();
  showCanvas();
  settle();
}

start();
