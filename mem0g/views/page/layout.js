"use strict";
// Where the entities stand: facts pull their ends together, entities push each other away, all drift to the middle.
// Deterministic: the same graph always settles the same way.

const REACH = 600; // entities farther apart than this do not push each other; also the side of a grid cell
const PUSH = 800;
const GRAVITY = 0.05;
const COOLING = 0.978; // about 310 steps until it is cold
const COLD = 0.001;

class Layout {
  // `nodes` get x, y (and keep `pinned`, `radius`); `links` are {source, target, length}, one per pair of nodes.
  constructor(nodes, links) {
    this.heat = 0;
    this.take(nodes, links);
  }

  // Goes on with these nodes. Those that have a place keep it; of the others, each starts beside one it is linked to.
  take(nodes, links) {
    [this.nodes, this.links] = [nodes, links];
    const placed = new Set(nodes.filter((node) => Number.isFinite(node.x)));
    this.heat = Math.max(this.heat, placed.size === nodes.length ? 0 : placed.size ? 0.5 : 1);
    const beside = new Map();
    for (const { source, target } of placed.size ? links : []) {
      if (placed.has(source)) beside.set(target, source);
      if (placed.has(target)) beside.set(source, target);
    }
    nodes.forEach((node, i) => {
      const turn = i * 2.399963; // the golden angle: an even spiral, the first node in the middle
      const start = beside.get(node) || { x: 0, y: 0 };
      const far = beside.has(node) ? 90 : 60 * Math.sqrt(i);
      if (!placed.has(node)) [node.x, node.y] = [start.x + far * Math.cos(turn), start.y + far * Math.sin(turn)];
      node.vx = node.vy = 0;
      node.links = 0;
    });
    for (const link of links) {
      link.source.links += 1;
      link.target.links += 1;
    }
  }

  get settled() {
    return this.heat < COLD;
  }

  warm(heat) {
    this.heat = Math.max(this.heat, heat);
  }

  step() {
    this.heat *= COOLING;
    this.pull();
    this.push();
    for (const node of this.nodes) {
      if (node.pinned) {
        node.vx = node.vy = 0;
        continue;
      }
      node.vx = (node.vx - node.x * GRAVITY * this.heat) * 0.6;
      node.vy = (node.vy - node.y * GRAVITY * this.heat) * 0.6;
      node.x += node.vx;
      node.y += node.vy;
    }
  }

  pull() {
    for (const { source, target, length } of this.links) {
      const dx = target.x + target.vx - source.x - source.vx || 0.01;
      const dy = target.y + target.vy - source.y - source.vy || 0.01;
      const distance = Math.hypot(dx, dy);
      const strength = this.heat / Math.min(source.links, target.links);
      const change = ((distance - length) / distance) * strength;
      const share = source.links / (source.links + target.links); // the better held end moves less
      target.vx -= dx * change * share;
      target.vy -= dy * change * share;
      source.vx += dx * change * (1 - share);
      source.vy += dy * change * (1 - share);
    }
  }

  push() {
    const cells = new Map();
    this.nodes.forEach((node, i) => {
      const [column, row] = [Math.floor(node.x / REACH), Math.floor(node.y / REACH)];
      const key = `${column},${row}`;
      if (!cells.has(key)) cells.set(key, { column, row, members: [] });
      cells.get(key).members.push(i);
    });
    for (const cell of cells.values()) {
      this.pushWithin(cell.members);
      for (const [right, down] of [[1, 0], [-1, 1], [0, 1], [1, 1]]) {
        const other = cells.get(`${cell.column + right},${cell.row + down}`);
        if (other) this.pushBetween(cell.members, other.members);
      }
    }
  }

  pushWithin(members) {
    for (let a = 0; a < members.length; a += 1)
      for (let b = a + 1; b < members.length; b += 1) this.pushPair(members[a], members[b]);
  }

  pushBetween(some, others) {
    for (const a of some) for (const b of others) this.pushPair(a, b);
  }

  pushPair(a, b) {
    const [one, two] = [this.nodes[a], this.nodes[b]];
    const dx = two.x - one.x || (a - b) * 0.01;
    // Names are wide and low: entities need more room beside each other than above each other.
    const dy = (two.y - one.y || 0.01) * 1.35;
    const square = Math.max(dx * dx + dy * dy, 400);
    if (square > REACH * REACH) return;
    const force = (PUSH * this.heat * (1 - square / (REACH * REACH))) / square;
    one.vx -= dx * force;
    one.vy -= dy * force;
    two.vx += dx * force;
    two.vy += dy * force;
  }
}
