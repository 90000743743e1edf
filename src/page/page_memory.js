/* page_memory.js -- memory against context, with the line of a card. */

const GIB = 2 ** 30, CARDS = [6, 8, 12, 16, 24, 32, 40, 48, 64, 80, 96, 141, 192, 320, 640, 1128, 1536];

/** What a model takes at each context, weights first. Between two points it grows by a straight line. */
function pointsOf(doc) {
  const weights = doc.weights && doc.weights.bytes;
  const points = (doc.contexts || []).map(c => {
    const total = c.estimated_total_bytes ?? c.exact_bytes, exact = c.exact_bytes ?? total;
    return {context: c.context, total, exact};
  }).filter(p => p.total);
  return {weights: weights ?? (points.length ? Math.min(points[0].exact, points[0].total) : 0), points};
}

class Plot {
  /** longest: the model's own context, if it is known; that of the document is the one asked for. */
  constructor(doc, longest) {
    Object.assign(this, pointsOf(doc), {asked: doc.context || 0, model: longest || 0, card: doc.fit ? doc.fit.bytes : 0});
    const largest = this.totalAt(Math.min(Math.max(this.asked, this.points[0].context), this.points[this.points.length - 1].context));
    if (!this.card) this.card = (CARDS.find(c => c * GIB >= largest * 1.05) || CARDS[CARDS.length - 1]) * GIB;
    this.svg = svg("svg", {role: "img", tabindex: 0, onpointermove: e => this.point(e), onkeydown: e => this.key(e)});
    this.said = el("p", {role: "status"});
    this.read = el("p.read", {"aria-live": "polite"});
    const own = el("input", {type: "number", min: 1, step: "any", value: +(this.card / GIB).toFixed(2), "aria-label": "memory of the card in GiB", oninput: e => {
      if (+e.target.value > 0) this.choose(+e.target.value * GIB);
    }});
    const select = el("select", {"aria-label": "card", onchange: e => {
      own.value = e.target.value;
      this.choose(+e.target.value * GIB);
    }}, ...CARDS.map(c => el("option", {value: c, selected: c * GIB === this.card}, c + " GiB")));
    own.addEventListener("input", () => { select.value = own.value; });
    this.element = el("section.plot", {}, el("h3", {}, "Memory against context"),
      el("div.tools", {}, el("label", {}, "card ", select), el("label", {}, "or ", own, " GiB")), this.said, this.svg,
      el("ul.legend", {}, ...[["k0", "weights"], ["k1", "cache"], ["k2", "activations, estimated"]].map(([k, word]) => el("li", {}, el("i." + k), word))),
      this.read);
    this.at = Math.max(this.points[0].context, Math.min(this.asked, this.points[this.points.length - 1].context));
    this.width = 0;
    new ResizeObserver(() => {
      const width = Math.max(this.svg.parentElement.clientWidth, 240);
      if (width !== this.width) this.width = width, this.draw();
    }).observe(this.element);
  }
  between(context, key) {
    const p = this.points;
    let i = p.findIndex(x => x.context >= context);
    if (i < 0) return p[p.length - 1][key];
    if (i === 0) return p[0][key];
    const a = p[i - 1], b = p[i];
    return a[key] + (b[key] - a[key]) * (context - a.context) / (b.context - a.context);
  }
  totalAt(context) { return this.between(context, "total"); }
  /** The longest context that fits: 0, none; Infinity, all that is plotted. */
  fits() {
    const p = this.points;
    if (p[0].total > this.card) return 0;
    const i = p.findIndex(x => x.total > this.card);
    if (i < 0) return Infinity;
    const a = p[i - 1], b = p[i];
    return Math.floor(a.context + (b.context - a.context) * (this.card - a.total) / (b.total - a.total));
  }
  choose(card) { this.card = card; this.draw(); }
  draw() {
    const tall = this.width < 600 ? 260 : 340, p = this.points, [left, right, top, bottom] = [68, this.width - 16, 16, tall - 40];
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${tall}`);
    const high = Math.max(this.card * 1.25, this.totalAt(Math.max(this.asked, p[0].context)) * 1.15, p[0].total * 1.15);
    const beyond = p.findIndex(q => q.total > high), last = p[beyond < 0 ? p.length - 1 : Math.min(Math.max(beyond, 2), p.length - 1)].context;
    const least = Math.log2(p[0].context), most = Math.log2(Math.max(last, p[0].context * 2));
    this.x = c => left + (Math.log2(c) - least) / (most - least) * (right - left);
    this.y = b => Math.max(top, bottom - b / high * (bottom - top));
    this.last = last;
    this.back = px => 2 ** (least + (px - left) / (right - left) * (most - least));
    const fine = [];
    for (let k = 0; k <= 160; k++) fine.push(2 ** (least + (most - least) * k / 160));
    const area = (low, up) => "M" + fine.map(c => this.x(c) + " " + this.y(up(c))).join("L") + "L" +
      fine.slice().reverse().map(c => this.x(c) + " " + this.y(low(c))).join("L") + "Z";
    const marks = [this.ticks(high, left, right), svg("path.weights", {d: area(() => 0, () => this.weights)}),
      svg("path.cache", {d: area(() => this.weights, c => this.between(c, "exact"))}),
      svg("path.rest", {d: area(c => this.between(c, "exact"), c => this.totalAt(c))})].flat();
    if (this.model && Math.log2(this.model) <= most && this.model >= p[0].context)
      marks.push(svg("line.model", {x1: this.x(this.model), x2: this.x(this.model), y1: top, y2: bottom}));
    const every = 2 ** Math.ceil((most - least) * 44 / (right - left));
    for (let c = 2 ** Math.ceil(least); c <= 2 ** most; c *= every)
      marks.push(svg("text", {x: this.x(c), y: bottom + 18, "text-anchor": "middle"}, c >= 2 ** 20 ? c / 2 ** 20 + "M" : c >= 1024 ? c / 1024 + "k" : String(c)));
    marks.push(svg("text", {x: (left + right) / 2, y: bottom + 36, "text-anchor": "middle"}, "tokens of context"),
      svg("line.card", {x1: left, x2: right, y1: this.y(this.card), y2: this.y(this.card)}),
      svg("text.strong.card-text", {x: left + 6, y: this.y(this.card) - 6}, bytes(this.card)));
    this.cross = svg("line.at", {y1: top, y2: bottom});
    this.svg.replaceChildren(...marks, this.cross);
    this.say();
    this.move(this.at);
  }
  ticks(high, left, right) {
    const out = [], raw = high / 5, unit = 2 ** Math.floor(Math.log2(raw));
    const step = raw / unit > 1.5 ? unit * 2 : unit;
    for (let b = 0; b <= high; b += step)
      out.push(svg("line.grid-line", {x1: left, x2: right, y1: this.y(b), y2: this.y(b)}),
        svg("text", {x: left - 8, y: this.y(b) + 4, "text-anchor": "end"}, b ? bytes(b).replace(/\.0+ /, " ") : "0"));
    return out;
  }
  say() {
    const n = this.fits(), last = this.points[this.points.length - 1].context;
    const text = n === 0 ? (this.weights > this.card ? "the weights alone take more" : "it does not fit at " + plural(this.points[0].context, "token"))
      : n === Infinity ? `it fits at any context up to ${plural(last, "token")}` : `it fits up to about ${plural(n, "token")}`;
    this.said.replaceChildren(el("b", {}, bytes(this.card)), ": " + text + (this.model && n > this.model ? ", more than the model's context" : "") + ".");
    this.svg.setAttribute("aria-label", `memory against context; ${bytes(this.card)}: ${text}; arrow keys read values`);
  }
  move(context) {
    const p = this.points;
    this.at = Math.min(Math.max(context, p[0].context), this.last);
    this.cross.setAttribute("x1", this.x(this.at));
    this.cross.setAttribute("x2", this.x(this.at));
    const exact = this.between(this.at, "exact"), total = this.totalAt(this.at);
    this.read.replaceChildren(el("b", {}, plural(Math.round(this.at), "token")), ` \u2014 ${bytes(total)}: weights ${bytes(this.weights)}, cache ${bytes(exact - this.weights)}` +
      (total > exact ? `, activations ${bytes(total - exact)}` : ""));
  }
  point(e) {
    const box = this.svg.getBoundingClientRect();
    this.move(this.back((e.clientX - box.left) / box.width * this.width));
  }
  key(e) {
    if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
    this.move(this.at * (e.key === "ArrowRight" ? 2 ** 0.25 : 2 ** -0.25));
    e.preventDefault();
  }
}

/** The bars that the text draws with signs, behind the totals of the contexts, as elements; the colours are the plot's. */
function addBars(article, doc) {
  const {weights, points} = pointsOf(doc), most = Math.max(...points.map(p => p.total));
  const table = [...article.querySelectorAll("table")].find(t => t.tHead?.rows[0].cells[0].textContent === "context");
  const column = table ? [...table.tHead.rows[0].cells].findIndex(th => th.textContent === "total") + 1 : 0;
  if (!column || table.tBodies[0].rows.length !== points.length) return;
  points.forEach((p, i) => table.tBodies[0].rows[i].cells[column].replaceChildren(el("span.sum", {"aria-hidden": "true"},
    ...[["k0", weights], ["k1", p.exact - weights], ["k2", p.total - p.exact]].map(([k, n]) => {
      const part = el("i." + k);
      part.style.width = n / most * 100 + "%";
      return part;
    }))));
  const legend = [...article.querySelectorAll("dt")].find(dt => dt.textContent === "bars");
  if (legend) legend.nextElementSibling.textContent = "blue weights, green cache, yellow activations" + (/;.*/.exec(legend.nextElementSibling.textContent) || "");
}

function addPlot(report, longest) {
  if (pointsOf(report.document).points.length < 2) return;
  place(report.article, new Plot(report.document, longest).element);
  addBars(report.article, report.document);
}
