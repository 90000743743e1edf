/* page_map.js -- a treemap: of the tensors of a model by layers, kinds and types, or of checkpoints by folders. */

const NOTHING = new Map(); // what is below a leaf; there are 100,000

class Node {
  constructor(name, up) {
    this.name = name;
    this.up = up;
    this.below = NOTHING;
    this.elements = this.bytes = this.tensors = 0;
    this.item = -1;
    this.paint = this.sums = null;
  }
  child(name) {
    if (this.below === NOTHING) this.below = new Map();
    let child = this.below.get(name);
    if (!child) this.below.set(name, child = new Node(name, this));
    return child;
  }
}

/** A tree of items along their paths. A chain of single children is one node. */
function treeOf(items, pathOf) {
  const root = new Node("", null);
  for (let i = 0; i < items.n; i++) {
    let node = root;
    for (const part of pathOf(i)) node = node.child(part);
    node.elements += items.elements[i];
    node.bytes += items.bytes[i];
    node.tensors++;
    node.item = i;
  }
  total(root);
  return root;
}

function total(node) {
  node.below.forEach((child, key) => {
    let x = child;
    while (x.below.size === 1 && x.item < 0) {
      const [only] = x.below.values();
      only.name = x.name + "." + only.name;
      only.up = node;
      x = only;
    }
    if (x !== child) node.below.set(key, x);
    if (x.below.size) total(x);
    node.elements += x.elements;
    node.bytes += x.bytes;
    node.tensors += x.tensors;
  });
}

/** What a map is coloured by: a word of each item, as its place among `words`. */
class Paint {
  constructor(name, words, all) {
    const places = new Map(words.map((word, i) => [word, i]));
    Object.assign(this, {name, words, places: Uint16Array.from(all, word => places.get(word) ?? words.length - 1)});
  }
  /** The bytes of a node by word; those of the nodes below are kept, to be asked again. */
  sums(node) {
    if (node.paint === this) return node.sums;
    const sums = new Float64Array(this.words.length);
    for (const x of node.below.values())
      if (!x.below.size) sums[this.places[x.item]] += x.bytes;
      else this.sums(x).forEach((n, i) => { sums[i] += n; });
    if (!node.below.size && node.item >= 0) sums[this.places[node.item]] += node.bytes;
    node.paint = this;
    return node.sums = sums;
  }
  main(node) {
    if (!node.below.size) return node.item < 0 ? 0 : this.places[node.item];
    const sums = this.sums(node);
    return sums.indexOf(Math.max(...sums));
  }
  /** [place, bytes], the most first. */
  list(node) { return [...this.sums(node).entries()].filter(([, n]) => n > 0).sort((x, y) => y[1] - x[1]); }
}

/** Rectangles of areas in proportion to `sizes` (descending), as square as they get (Bruls, Huizing, van Wijk). */
function squarified(sizes, x, y, w, h) {
  const out = [], total = sizes.reduce((a, b) => a + b, 0);
  let scale = total ? w * h / total : 0, i = 0;
  const worst = (sum, least, most, side) => Math.max(side * side * most / (sum * sum), sum * sum / (side * side * least));
  while (i < sizes.length && w > 0.3 && h > 0.3) {
    const side = Math.min(w, h);
    let end = i + 1, sum = sizes[i] * scale;
    while (end < sizes.length) {
      const next = sizes[end] * scale, most = sizes[i] * scale, last = sizes[end - 1] * scale;
      if (!next || worst(sum + next, next, most, side) > worst(sum, last, most, side)) break;
      sum += next;
      end++;
    }
    const thick = sum / side || 0;
    let at = 0;
    for (; i < end; i++) {
      const long = thick ? sizes[i] * scale / thick : 0;
      out.push(w >= h ? [x, y + at, thick, long] : [x + at, y, long, thick]);
      at += long;
    }
    if (w >= h) x += thick, w -= thick;
    else y += thick, h -= thick;
  }
  return out;
}

const TILES = 900, LABEL = 19, ROOM = 120; /* pixels: a label's height, the least area of most tiles within one */

class TreeMap {
  /** views: [word, tree()]; leaf(item) is called when one is entered. */
  constructor(views, paints, leaf, nouns) {
    Object.assign(this, {views, leaf, nouns, paint: paints[0], area: "bytes", trees: new Map()});
    this.map = el("div.map", {role: "group", "aria-label": "map of sizes: arrows move, Enter goes in, Backspace goes out", onkeydown: e => this.key(e)});
    this.crumbs = el("nav.crumbs", {"aria-label": "place in the map"});
    this.read = el("p.read", {"aria-live": "polite"});
    this.legend = el("ul.legend");
    const tools = el("div.tools"), redraw = set => { set(); this.draw(); };
    if (views.length > 1) tools.append(choice("by", views.map(([word]) => [word, word]), views[0][0], word => this.view(word)));
    tools.append(choice("area", [["bytes", "bytes"], [nouns[0], "elements"]], this.area, a => redraw(() => { this.area = a; })));
    if (paints.length > 1) tools.append(choice("colour", paints.map(p => [p.name, p]), this.paint, p => redraw(() => { this.paint = p; })));
    this.element = el("section", {}, tools, this.crumbs, this.map, this.legend, this.read);
    this.view(views[0][0]);
    let width = 0;
    new ResizeObserver(() => {
      if (this.map.clientWidth !== width) width = this.map.clientWidth, this.draw();
    }).observe(this.map);
  }
  view(word) {
    if (!this.trees.has(word)) this.trees.set(word, this.views.find(v => v[0] === word)[1]());
    this.root = this.at = this.trees.get(word);
    this.draw();
  }
  go(node, focus) {
    if (!node) return;
    if (!node.below.size) { this.leaf(node.item); return; }
    const from = this.at;
    this.at = node;
    this.draw();
    this.tell(node);
    if (!focus) return;
    const tiles = [...this.map.querySelectorAll("button")];
    (tiles.find(t => t.node === from || within(from, t.node)) || tiles[0])?.focus();
  }
  size(node) { return node[this.area]; }
  describe(node) {
    const whole = this.size(this.root), names = [], mostly = this.paint.list(node).length > 1 ? "mostly " : "";
    for (let n = node; n && n.up; n = n.up) names.unshift(n.name);
    return [names.join(".") || "all", `${bytes(node.bytes)}, ${elements(node.elements)} ${this.nouns[0]}, ` +
      `${plural(node.tensors, this.nouns[1])}, ${percent(this.size(node), whole)} of all; ${mostly}${this.paint.words[this.paint.main(node)]}`];
  }
  tell(node) {
    const [name, text] = this.describe(node);
    this.read.replaceChildren(el("b", {}, short(name)), " \u2014 " + text);
  }
  draw() {
    const w = this.map.clientWidth, h = this.map.clientHeight;
    if (!w) return;
    this.left = TILES;
    const tiles = [];
    this.place(this.at, 0, 0, w, h, 0, tiles);
    this.map.replaceChildren(...tiles);
    const first = this.map.querySelector("button");
    if (first) first.tabIndex = 0;
    this.drawCrumbs();
    this.legend.replaceChildren(...this.paint.list(this.at).map(([at, n]) => el("li", {}, el("i.k" + Math.min(at, 7)), `${this.paint.words[at]} ${percent(n, this.at.bytes)}`)));
    if (!this.read.childNodes.length) this.tell(this.at);
  }
  drawCrumbs() {
    const path = [];
    for (let n = this.at; n; n = n.up) path.unshift(n);
    this.crumbs.replaceChildren();
    path.forEach((n, i) => {
      if (i) this.crumbs.append("\u203a");
      this.crumbs.append(el("button", {type: "button", disabled: n === this.at, onclick: () => this.go(n, true)}, short(n.name || "all", 80)));
    });
  }
  place(node, x, y, w, h, depth, tiles) {
    const below = [...node.below.values()].filter(n => this.size(n) > 0).sort((a, b) => this.size(b) - this.size(a));
    const shown = below.slice(0, depth ? 64 : 400);
    const rest = below.slice(shown.length).reduce((sum, n) => sum + this.size(n), 0);
    squarified(shown.map(n => this.size(n)).concat(rest || []), x, y, w, h).forEach((r, i) => {
      if (i < shown.length && this.left > 0 && (depth === 0 || (r[2] > 3 && r[3] > 3))) this.tile(shown[i], r, depth, tiles);
    });
  }
  tile(node, [x, y, w, h], depth, tiles) {
    this.left--;
    const label = h >= LABEL && w >= 34, tall = !label && w >= 17 && h >= 64, opens = node.below.size > 0;
    const word = Math.min(this.paint.main(node), 7);
    const facts = depth ? {"aria-hidden": "true"} : {type: "button", tabindex: -1, "aria-label": this.describe(node).join(": ") + (opens ? "; opens" : "")};
    const t = el((depth ? "div" : "button") + ".tile.k" + word + (depth ? ".inner" : "") + (tall ? ".tall" : ""), facts,
      label || tall ? el("span", {}, short(node.name, 80), " ", el("small", {}, w > 110 || tall ? (this.area === "bytes" ? bytes : elements)(this.size(node)) : "")) : null);
    t.node = node;
    Object.assign(t.style, {left: x + "px", top: y + "px", width: w + "px", height: h + "px"});
    t.addEventListener("click", () => this.go(node, true));
    t.addEventListener("pointerenter", () => this.tell(node));
    t.addEventListener("focus", () => {
      for (const other of this.map.querySelectorAll("button")) other.tabIndex = other === t ? 0 : -1;
      this.tell(node);
    });
    tiles.push(t);
    const room = (w - 4) * (h - LABEL - 2) / node.below.size;
    if (opens && depth < 5 && w > 44 && h > 44 && room > ROOM) this.place(node, x + 2, y + LABEL, w - 4, h - LABEL - 2, depth + 1, tiles);
  }
  key(e) {
    const tiles = [...this.map.querySelectorAll("button")], from = document.activeElement;
    if (e.key === "Backspace" || e.key === "Escape") {
      if (this.at.up) this.go(this.at.up, true);
    } else if (e.key === "Home") tiles[0]?.focus();
    else if (e.key === "End") tiles[tiles.length - 1]?.focus();
    else if (/^Arrow/.test(e.key)) nearest(tiles, from, e.key)?.focus();
    else return;
    e.preventDefault();
  }
}

function within(node, up) {
  for (let n = node; n; n = n.up) if (n === up) return true;
  return false;
}

/** The tile next to one in the direction of an arrow. */
function nearest(tiles, from, key) {
  const box = t => { const r = t.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; };
  const [x, y] = box(from), side = key === "ArrowLeft" || key === "ArrowRight" ? 0 : 1;
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  let best = null, least = Infinity;
  for (const t of tiles) {
    const to = box(t), ahead = (to[side] - [x, y][side]) * sign, off = Math.abs(to[1 - side] - [x, y][1 - side]);
    if (t !== from && ahead > 1 && ahead + 2 * off < least) best = t, least = ahead + 2 * off;
  }
  return best;
}

function addMap(group, tensors, find) {
  const words = types(tensors), kind = i => tensors.kind[i], type = i => tensors.type[i];
  const path = i => tensors.name[i].length > 2000 ? [tensors.name[i]] : tensors.name[i].split(".");
  const pattern = i => tensors.role[i] || starred(tensors.name[i]);
  const paints = [new Paint("kind", KINDS, tensors.kind)];
  if (words.length > 1) paints.push(new Paint("type", words, tensors.type));
  const map = new TreeMap([
    ["layers", () => treeOf(tensors, path)],
    ["kinds", () => treeOf(tensors, i => [kind(i), pattern(i), tensors.name[i]])],
    ["types", () => treeOf(tensors, i => [type(i), pattern(i), tensors.name[i]])],
  ], paints, item => find(tensors.name[item]), ["elements", "tensor"]);
  map.element.prepend(el("h3", {}, "Where the bytes are"));
  place(group[0].article, map.element);
}

/** The types, those of most bytes first. */
function types(tensors) {
  const sums = new Map();
  for (let i = 0; i < tensors.n; i++) sums.set(tensors.type[i], (sums.get(tensors.type[i]) || 0) + tensors.bytes[i]);
  return [...sums].sort((a, b) => b[1] - a[1]).map(([type]) => type);
}

/** Below the facts of an article, and below its plot. */
function place(article, section) {
  const facts = [...article.querySelectorAll(":scope > section")].find(s => s.querySelector("dl"));
  (article.querySelector(":scope > .plot") || facts || article.querySelector("header")).after(section);
}
