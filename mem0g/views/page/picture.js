"use strict";
// The canvas: entities, facts and their captions, and what lies under the pointer.

const NAME_FONT = '13px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
const CAPTION_FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
const LONGEST_NAME = 28;
const FAR = 0.45; // below this scale: no captions, no arrow heads, names may lie over other entities
const FAR_NAMES = 60; // how many names are tried below that scale, the best connected first
const WELL_KNOWN = 6; // facts
const CAPTION_SPOTS = [0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73];

// What turns the writing direction of the words around it: an isolate that is not closed even leaves <bdi>.
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

// One line that cannot turn the writing direction of what follows it.
function shortName(name) {
  const letters = Array.from(name.replace(/[\s\p{Cc}]+/gu, " ").replace(TURNING, "").trim());
  const cut = letters.length > LONGEST_NAME ? [...letters.slice(0, LONGEST_NAME - 1), "…"] : letters;
  return `\u2068${cut.join("")}\u2069`;
}

class Picture {
  // `look(item)` says how an entity or a fact is drawn now: {hidden, faded, strong, retired}.
  constructor(canvas, nodes, facts, look) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.take(nodes, facts);
    this.look = look;
    this.view = { x: 0, y: 0, scale: 1 };
    this.widths = new Map();
    this.readColours();
  }

  take(nodes, facts) {
    [this.nodes, this.facts] = [nodes, facts];
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    const names = ["paper", "ink", "quiet", "edge", "edge-text", "accent", "kind-other"];
    for (let i = 0; i < KINDS; i += 1) names.push(`kind-${i}`);
    this.colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    const ratio = window.devicePixelRatio || 1;
    [this.width, this.height] = [clientWidth, clientHeight];
    [this.canvas.width, this.canvas.height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  toScreen(point) {
    const { x, y, scale } = this.view;
    return { x: (point.x - x) * scale + this.width / 2, y: (point.y - y) * scale + this.height / 2 };
  }

  toWorld(point) {
    const { x, y, scale } = this.view;
    return { x: (point.x - this.width / 2) / scale + x, y: (point.y - this.height / 2) / scale + y };
  }

  radius(node) {
    return Math.max(3, node.radius * Math.min(1.6, Math.max(0.35, Math.sqrt(this.view.scale))));
  }

  draw() {
    const { pen } = this;
    pen.clearRect(0, 0, this.width, this.height);
    [this.circles, this.texts] = [[], []]; // the boxes that are taken
    const byImportance = (a, b) => this.look(b).chosen - this.look(a).chosen || b.radius - a.radius;
    const nodes = this.nodes.filter((node) => !this.look(node).hidden);
    const facts = this.facts.filter((fact) => !this.look(fact).hidden);
    for (const node of nodes) node.at = this.toScreen(node);
    for (const fact of facts) fact.curve = this.curve(fact);
    for (const strong of [false, true])
      for (const fact of facts) if (Boolean(this.look(fact).strong) === strong) this.drawFact(fact);
    for (const node of nodes) this.drawNode(node);
    const first = nodes.filter((node) => this.look(node).strong).sort(byImportance);
    const rest = nodes.filter((node) => !this.look(node).strong).sort(byImportance);
    const strongFacts = facts.filter((fact) => this.look(fact).strong);
    const plainFacts = facts.filter((fact) => !this.look(fact).strong);
    for (const node of first) this.drawName(node, this.look(node).chosen);
    for (const fact of strongFacts) this.drawCaption(fact);
    const named = this.view.scale < FAR ? rest.slice(0, FAR_NAMES) : rest;
    for (const node of named) this.drawName(node, false);
    if (this.view.scale > FAR)
      for (const retired of [false, true])
        for (const fact of plainFacts) if (Boolean(this.look(fact).retired) === retired) this.drawCaption(fact);
    pen.globalAlpha = 1;
  }

  // A quadratic curve from border to border; facts between the same two entities fan out, a fact about itself loops.
  curve(fact) {
    const [a, b] = [fact.subject.at || this.toScreen(fact.subject), fact.object.at || this.toScreen(fact.object)];
    const [ra, rb] = [this.radius(fact.subject) + 1, this.radius(fact.object) + 3];
    if (fact.subject === fact.object) {
      const size = (26 + 15 * fact.lane) * Math.max(0.6, Math.min(1.4, this.view.scale));
      return { loop: true, x: a.x, y: a.y - ra - size * 0.72, size };
    }
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const distance = Math.hypot(dx, dy) || 1;
    const bend = fact.lane * Math.min(60, 30 + distance * 0.1) * 1.4;
    const middle = { x: (a.x + b.x) / 2 - (dy / distance) * bend, y: (a.y + b.y) / 2 + (dx / distance) * bend };
    return { from: toward(a, middle, ra), middle, to: toward(b, middle, rb) };
  }

  pointOn(curve, t) {
    if (curve.loop) {
      const turn = 2 * Math.PI * (t - 0.5); // the middle of a loop is its top
      return { x: curve.x + curve.size * 0.5 * Math.sin(turn), y: curve.y - curve.size * 0.72 * Math.cos(turn) };
    }
    const [a, b, c] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
    const { from, middle, to } = curve;
    return { x: a * from.x + b * middle.x + c * to.x, y: a * from.y + b * middle.y + c * to.y };
  }

  drawFact(fact) {
    const { pen, colours } = this;
    const { strong, faded, retired, chosen } = this.look(fact);
    const curve = fact.curve;
    pen.globalAlpha = (faded ? 0.45 : retired && !chosen ? 0.6 : 1) * (this.view.scale < FAR && !strong ? 0.5 : 1);
    pen.strokeStyle = pen.fillStyle = chosen ? colours.accent : strong ? colours.quiet : colours.edge;
    pen.lineWidth = chosen ? 3 : strong ? 1.8 : 1.2;
    pen.setLineDash(retired ? [5, 4] : []);
    pen.beginPath();
    if (curve.loop) pen.ellipse(curve.x, curve.y, curve.size * 0.5, curve.size * 0.72, 0, 0, 2 * Math.PI);
    else {
      pen.moveTo(curve.from.x, curve.from.y);
      pen.quadraticCurveTo(curve.middle.x, curve.middle.y, curve.to.x, curve.to.y);
    }
    pen.stroke();
    pen.setLineDash([]);
    if (!curve.loop && this.view.scale > FAR) this.drawHead(curve, chosen ? 10 : 7.5);
  }

  drawHead({ middle, to }, size) {
    const { pen } = this;
    const angle = Math.atan2(to.y - middle.y, to.x - middle.x);
    pen.beginPath();
    pen.moveTo(to.x, to.y);
    for (const side of [2.72, -2.72]) pen.lineTo(to.x + size * Math.cos(angle + side), to.y + size * Math.sin(angle + side));
    pen.fill();
  }

  drawNode(node) {
    const { pen, colours } = this;
    const { faded, chosen, retired } = this.look(node);
    const radius = this.radius(node);
    pen.beginPath();
    pen.arc(node.at.x, node.at.y, radius, 0, 2 * Math.PI);
    pen.globalAlpha = 1;
    pen.fillStyle = colours.paper; // so that no edge shines through a faded entity
    pen.fill();
    pen.globalAlpha = faded ? 0.5 : retired ? 0.5 : 1;
    pen.fillStyle = colours[node.colour];
    pen.fill();
    if (chosen || node.isRoot) {
      pen.beginPath();
      pen.arc(node.at.x, node.at.y, radius + 3.5, 0, 2 * Math.PI);
      pen.strokeStyle = chosen ? colours.accent : colours.quiet;
      pen.lineWidth = chosen ? 3 : 1.6;
      pen.stroke();
    }
    if (this.view.scale < FAR) return;
    const reach = radius + 2;
    this.circles.push({ left: node.at.x - reach, right: node.at.x + reach, top: node.at.y - reach, bottom: node.at.y + reach });
  }

  drawName(node, always) {
    const { faded, chosen, retired } = this.look(node);
    const radius = this.radius(node) + (chosen || node.isRoot ? 5 : 1);
    const [width, half] = [this.textWidth(node.short, NAME_FONT), 8];
    const { x, y } = node.at;
    const spots = [
      { x, y: y + radius + half + 1 },
      { x, y: y - radius - half - 1 },
      { x: x + radius + width / 2 + 3, y },
      { x: x - radius - width / 2 - 3, y },
    ];
    const known = node.facts.length >= WELL_KNOWN; // where it is crowded its name may lie over its neighbours
    const fits = (over) => spots.find((s) => this.free(s, width, half * 2, over));
    const spot = fits(false) || (known && fits(true)) || (always && spots[0]);
    if (spot) this.write(node.short, NAME_FONT, spot, width, half * 2, "ink", faded || retired ? 0.72 : 1);
  }

  drawCaption(fact) {
    const { chosen, retired, faded } = this.look(fact);
    const width = this.textWidth(fact.relation, CAPTION_FONT);
    const spots = CAPTION_SPOTS.map((t) => this.pointOn(fact.curve, t));
    const spot = spots.find((s) => this.free(s, width, 13)) || (chosen ? spots[0] : null);
    if (spot) this.write(fact.relation, CAPTION_FONT, spot, width, 13, chosen ? "accent" : "edge-text", (retired || faded) && !chosen ? 0.75 : 1);
  }

  free({ x, y }, width, height, overEntities = false) {
    const [left, right, top, bottom] = [x - width / 2 - 3, x + width / 2 + 3, y - height / 2, y + height / 2];
    if (left < 0 || top < 0 || right > this.width || bottom > this.height) return false;
    const hits = (box) => left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    return !this.texts.some(hits) && (overEntities || !this.circles.some(hits));
  }

  write(text, font, { x, y }, width, height, colour, alpha) {
    const { pen, colours } = this;
    this.texts.push({ left: x - width / 2 - 3, right: x + width / 2 + 3, top: y - height / 2, bottom: y + height / 2 });
    pen.font = font;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    pen.globalAlpha = Math.max(alpha, 0.85);
    pen.strokeStyle = colours.paper; // a halo: the line behind it does not cross the letters
    pen.lineWidth = 4;
    pen.strokeText(text, x, y);
    pen.globalAlpha = alpha;
    pen.fillStyle = colours[colour];
    pen.fillText(text, x, y);
  }

  textWidth(text, font) {
    const key = font + text;
    if (!this.widths.has(key)) {
      this.pen.font = font;
      this.widths.set(key, this.pen.measureText(text).width);
    }
    return this.widths.get(key);
  }

  nodeAt(point) {
    const near = (node) => Math.hypot(node.at.x - point.x, node.at.y - point.y) <= this.radius(node) + 5;
    return this.nodes.filter((node) => node.at && !this.look(node).hidden).reverse().find(near) || null;
  }

  factAt(point) {
    const near = (fact) => {
      for (let t = 0; t <= 1; t += 0.04) {
        const on = this.pointOn(fact.curve, t);
        if (Math.hypot(on.x - point.x, on.y - point.y) < 7) return true;
      }
      return false;
    };
    return this.facts.filter((fact) => fact.curve && !this.look(fact).hidden).find(near) || null;
  }

  zoom(factor, at = { x: this.width / 2, y: this.height / 2 }) {
    const before = this.toWorld(at);
    this.view.scale = Math.min(6, Math.max(0.04, this.view.scale * factor));
    const after = this.toWorld(at);
    this.view.x += before.x - after.x;
    this.view.y += before.y - after.y;
  }

  pan(dx, dy) {
    this.view.x -= dx / this.view.scale;
    this.view.y -= dy / this.view.scale;
  }

  // The view of all these entities, hidden ones too: going through time does not move the ground.
  fitted(nodes) {
    if (!nodes.length) return this.view;
    const [xs, ys] = [nodes.map((node) => node.x), nodes.map((node) => node.y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const room = Math.min((this.width - 150) / (right - left || 1), (this.height - 90) / (bottom - top || 1));
    return { x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.min(1.5, Math.max(0.04, room)) };
  }
}

function toward(from, to, by) {
  const distance = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: from.x + ((to.x - from.x) / distance) * by, y: from.y + ((to.y - from.y) / distance) * by };
}
