"use strict";
// The graph as the page holds it: entities and facts that know each other, colours of types, springs.

const KINDS = 9; // types with a colour of their own; the rarer ones share one

// `order` lists the types by which colours are given, the commonest first; by default those of the graph itself.
function readGraph({ nodes, edges, graph: attributes }, order = []) {
  const entities = nodes.map((node) => ({ name: "", type: "", aliases: [], ...node, facts: [], isRoot: node.id === attributes.root }));
  const byKey = new Map(entities.map((node) => [node.id, node]));
  const facts = edges.map((edge) => ({ ...edge, subject: byKey.get(edge.source), object: byKey.get(edge.target) }));
  for (const fact of facts) for (const node of new Set([fact.subject, fact.object])) node.facts.push(fact);
  for (const node of entities) {
    const others = (node.also_known_as || []).join(", ");
    node.shown = node.name.trim() ? node.name.trim() + (others && ` (${others})`) : node.id;
    node.isLiteral = node.type === "literal";
    node.radius = node.isLiteral ? 5 : Math.min(20, 7 + 2 * Math.sqrt(node.facts.length));
    node.short = shortName(node.shown);
  }
  return { entities: fromTheRoot(entities), facts, kinds: colourKinds(entities, order), links: linkPairs(facts), title: attributes.title || "" };
}

// Breadth first from the root, then from the best connected of what is left: neighbours start near each other.
function fromTheRoot(entities) {
  const starts = [...entities].sort((a, b) => b.isRoot - a.isRoot || b.facts.length - a.facts.length);
  const seen = new Set();
  for (const start of starts) {
    const waiting = seen.has(start) ? [] : [start];
    seen.add(start);
    for (const node of waiting)
      for (const other of node.facts.flatMap((fact) => [fact.subject, fact.object]))
        if (!seen.has(other)) {
          seen.add(other);
          waiting.push(other);
        }
  }
  return [...seen];
}

// The commonest types get a colour each; the entities learn theirs. Types differ by more than case. Values are grey.
function colourKinds(entities, order) {
  const counts = new Map();
  for (const node of entities) {
    const key = node.type.trim().toLowerCase();
    const kind = counts.get(key) || { name: node.type.trim(), count: 0 };
    kind.count += 1;
    counts.set(key, kind);
  }
  const common = [...counts].sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1)).map(([key]) => key);
  const named = [...new Set(order.length ? order.map((name) => name.trim().toLowerCase()) : common)].filter((key) => key && key !== "literal");
  const colours = new Map(named.slice(0, KINDS).map((key, i) => [key, `kind-${i}`]));
  for (const node of entities) node.colour = colours.get(node.type.trim().toLowerCase()) || "kind-other";
  const kinds = [...colours].filter(([key]) => counts.has(key)).map(([key, colour]) => ({ ...counts.get(key), colour }));
  const others = entities.filter((node) => node.colour === "kind-other").length;
  return others ? [...kinds, { name: named.length ? "other" : "no type", count: others, colour: "kind-other" }] : kinds;
}

// One spring per pair of entities, long enough for the captions; facts of one pair get lanes to fan out in.
function linkPairs(facts) {
  const pairs = new Map();
  for (const fact of facts) {
    const key = [fact.source, fact.target].sort().join("\n");
    if (!pairs.has(key)) pairs.set(key, []);
    pairs.get(key).push(fact);
  }
  const links = [];
  for (const together of pairs.values()) {
    const [{ subject, object }] = together;
    together.forEach((fact, i) => {
      const lane = subject === object ? i : i - (together.length - 1) / 2;
      fact.lane = fact.subject === subject ? lane : -lane;
    });
    const longest = Math.max(...together.map((fact) => fact.relation.length));
    const length = 46 + Math.min(150, 7 * longest) + subject.radius + object.radius;
    if (subject !== object) links.push({ source: subject, target: object, length });
  }
  return links;
}
