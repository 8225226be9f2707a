// The part of the memory that is drawn: the best connected entities, and the neighbourhoods that were visited since.
// Only so many facts are drawn at a time; of a larger memory, the neighbourhoods visited first give way.
/* global setGraph, settle, showLegend, refresh, graph, layout, byId */
import { get } from "./api.js";

export const MAX_FACTS = 600; // drawn at a time
const FIRST = 250; // facts that are drawn before anything is visited
export const NEAR = 200; // facts of an entity that is visited

let parts = new Map(); // node-link JSON by what it shows, the one visited last last
let types = []; // the types of all entities, the commonest first: each has its colour whatever is drawn
let round = 0; // answers to what was asked before everything was dropped are not used

export function setTypes(names) {
  types = names;
}

export function colourOf(type) {
  const place = types.findIndex((name) => name.trim().toLowerCase() === type.trim().toLowerCase());
  return type.trim() && place >= 0 && place < 9 ? `kind-${place}` : "kind-other";
}

// Forgets what was loaded, after a change or for another scope.
export function drop() {
  parts = new Map();
  round += 1;
}

export function truncated(key, limit) {
  return Boolean(parts.get(key)) && parts.get(key).edges.length >= limit;
}

// Draws the best connected entities; with a day, as of that day.
export function loadOverview(day = null) {
  return load(day ? `as of ${day}` : "", { limit: FIRST, as_of: day, include_retired: !day });
}

// Draws what is around an entity.
export function loadNear(id, { day = null, limit = NEAR } = {}) {
  return load(day ? `${id} as of ${day}` : id, { entity: id, limit, as_of: day, include_retired: !day });
}

async function load(key, query) {
  const asked = round;
  const known = parts.get(key);
  const found = known && known.limit >= query.limit ? known : { ...(await get("graph", query)), limit: query.limit };
  if (asked !== round) return;
  parts.delete(key);
  parts.set(key, found);
  if (found !== known) draw();
}

function draw() {
  const [nodes, edges] = [new Map(), new Map()];
  for (const part of [...parts.values()].reverse()) {
    const room = MAX_FACTS - edges.size;
    const more = part.edges.filter((edge) => !edges.has(edge.key)).slice(0, Math.max(0, room));
    for (const edge of more) edges.set(edge.key, edge);
    const needed = new Set([part.graph.root, ...[...edges.values()].flatMap((edge) => [edge.source, edge.target])]);
    for (const node of part.nodes) if (needed.has(node.id) && !nodes.has(node.id)) nodes.set(node.id, node);
  }
  const first = graph.entities.length === 0;
  setGraph({ nodes: [...nodes.values()], edges: [...edges.values()], graph: {} }, types);
  byId("empty").hidden = nodes.size > 0;
  showLegend();
  if (first) settle();
  refresh();
}
