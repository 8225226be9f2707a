"use strict";
// The side panel and the lists. Text is only ever put in as text: names and messages are hostile input.

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : value);
  }
  const shown = children.filter((child) => child !== null && child !== "");
  element.append(...shown.map((child) => (typeof child === "string" ? child.replace(TURNING, "") : child)));
  return element;
}

// The mark of a type's colour. (The style is set as a property: the page's policy forbids style attributes.)
function dot(colour) {
  const mark = make("span", { class: "dot", "aria-hidden": "true" });
  mark.style.background = `var(--${colour})`;
  return mark;
}

function bdi(text) {
  return make("bdi", {}, text);
}

function plural(count, one, many) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

// `state(fact)` is "current", "retired" or "hidden"; `choose.entity` and `choose.fact` are called on a click;
// `details(fact)` are the elements below the chosen fact.
function entityPanel(node, facts, chosenFact, state, choose, details = factDetails) {
  const shown = facts.filter((fact) => state(fact) !== "hidden");
  const [current, retired] = ["current", "retired"].map((kind) => shown.filter((fact) => state(fact) === kind));
  const items = (list) => list.map((fact) => factItem(fact, node, fact === chosenFact, state(fact), choose, details));
  return [
    make("h2", { dir: "auto" }, node.shown),
    make("p", { class: "kind" }, dot(node.colour), bdi(node.type || "no type")),
    node.aliases.length ? make("p", { class: "quiet" }, "also ", ...joined(node.aliases.map(bdi))) : "",
    make("h3", {}, current.length ? plural(current.length, "fact", "facts") : "no current facts"),
    make("ul", { class: "facts" }, ...items(current)),
    retired.length ? make("h3", {}, `${retired.length.toLocaleString("en")} retired`) : "",
    retired.length ? make("ul", { class: "facts" }, ...items(retired)) : "",
    shown.length < facts.length
      ? make("p", { class: "quiet" }, `${plural(facts.length - shown.length, "fact is", "facts are")} not shown: later, or retired.`)
      : "",
  ].filter((part) => part !== "");
}

function joined(parts) {
  return parts.flatMap((part, i) => (i ? [", ", part] : [part]));
}

function factItem(fact, node, chosen, state, choose, details) {
  const outgoing = fact.subject === node;
  const other = outgoing ? fact.object : fact.subject;
  const link = make("button", { type: "button", onclick: () => choose.entity(other) }, bdi(other.shown));
  const when = interval(fact);
  return make(
    "li",
    { class: `fact${state === "retired" ? " retired" : ""}${chosen ? " chosen" : ""}` },
    make(
      "button",
      { type: "button", dir: "auto", "aria-pressed": String(chosen), onclick: () => choose.fact(chosen ? null : fact) },
      fact.text || fact.relation,
    ),
    make(
      "p",
      { class: "edge" },
      ...(outgoing ? [make("code", {}, fact.relation), " → ", link] : ["← ", make("code", {}, fact.relation), " ", link]),
      when ? " " : "",
      when ? make("span", { class: "when" }, `· ${when}`) : "",
      state === "retired" ? " " : "",
      state === "retired" ? make("span", { class: "badge" }, "retired") : "",
    ),
    ...(chosen ? details(fact) : []),
  );
}

function factDetails(fact) {
  return [factTimes(fact), ...fact.evidence.map((message) => make("blockquote", { dir: "auto" }, message))];
}

function factTimes(fact) {
  const sure = fact.confidence === 1 ? "" : `${Math.round(fact.confidence * 100)} %`;
  const rows = [
    ["said", shownTime(fact.said_at)],
    ["observed", shownTime(fact.observed || "")],
    ["recorded", shownTime(fact.recorded_at)],
    ["retired", shownTime(fact.retired_at)],
    ["because", fact.reason],
    ["confidence", sure],
  ];
  const shown = rows.filter(([, value]) => value);
  return make("dl", {}, ...shown.flatMap(([name, value]) => [make("dt", {}, name), make("dd", { dir: "auto" }, value)]));
}

// What to do, and the best connected entities: a way in without a pointer.
function overviewPanel(title, nodes, choose) {
  if (!nodes.length) return [make("p", { class: "quiet" }, "There is nothing in this graph.")];
  const top = [...nodes].sort((a, b) => b.facts.length - a.facts.length).slice(0, 15);
  const item = (node) =>
    make("li", { class: "fact" }, make("button", { type: "button", class: "kind", onclick: () => choose.entity(node) },
      dot(node.colour), bdi(node.shown), make("small", { class: "quiet" }, plural(node.facts.length, "fact", "facts"))));
  return [
    make("h2", { dir: "auto" }, title || "Graph"),
    make("p", { class: "quiet" }, "Click an entity for its facts, a fact for what it stands on. Drag to move, turn the wheel to zoom."),
    make("h3", {}, "Best connected"),
    make("ul", { class: "facts" }, ...top.map(item)),
  ];
}

// Entities first (by name, alias or type), then facts whose sentence has the words.
function found(query, nodes, facts) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text) => words.every((word) => text.toLowerCase().includes(word));
  const starts = (node) => (node.name.toLowerCase().startsWith(query.trim().toLowerCase()) ? 0 : 1);
  const entities = nodes.filter((node) => has([node.name, ...node.aliases, node.type].join(" ")));
  entities.sort((a, b) => starts(a) - starts(b) || b.radius - a.radius);
  return { entities: entities.slice(0, 12), facts: facts.filter((fact) => has(fact.text)).slice(0, 12) };
}

function resultItems({ entities, facts }, choose) {
  const entity = (node) =>
    make("button", { type: "button", onclick: () => choose.entity(node) }, bdi(node.shown), make("small", {}, bdi(node.type)));
  const fact = (one) => make("button", { type: "button", dir: "auto", onclick: () => choose.fact(one) }, one.text);
  const items = [...entities.map(entity), ...facts.map(fact)].map((button) => make("li", {}, button));
  return items.length ? items : [make("li", {}, make("p", {}, "Nothing found."))];
}
