/* page_table.js -- tables: many rows, of which only those in view are elements; and headings of short ones that sort. */

const ROW = 26, HEAD = 30, collator = new Intl.Collator("en", {numeric: true});

class Grid {
  /** columns: {name, right, text(row), value(row)?}; n rows. */
  constructor(columns, n, label) {
    this.columns = columns.filter(c => some(n, i => c.text(i)));
    Object.assign(this, {n, label, order: Uint32Array.from({length: n}, (_, i) => i), sorted: null, picks: new Map(), drawn: ""});
    this.element = el("section", {}, this.tools(), this.box(), el("p.hint", {}, "Headings sort. The search takes words, and * for any characters."));
    this.select();
    new ResizeObserver(() => this.draw()).observe(this.view);
  }
  tools() {
    let timer = 0;
    this.search = el("input", {type: "search", placeholder: "q_proj, layers.*.mlp", "aria-label": "search " + this.label, oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.select(), this.n > 20000 ? 120 : 0);
    }});
    this.total = el("span.soft", {role: "status"});
    const tools = el("div.tools", {}, el("label", {}, "search ", this.search));
    for (const c of this.columns) {
      const words = c.filter && distinct(this.n, i => c.text(i), 60);
      if (words && words.length > 1) tools.append(el("label", {}, c.name + " ", el("select", {onchange: e => {
        this.picks.set(c, e.target.value);
        this.select();
      }}, el("option", {value: ""}, "all"), ...words.sort(collator.compare).map(w => el("option", {value: "=" + w}, short(w, 60) || "none")))));
    }
    tools.append(this.total);
    return tools;
  }
  box() {
    const widths = this.columns.map(c => Math.min(Math.max(longest(this.n, c), c.name.length + 2), c.right ? 26 : 72) + 4 + "ch");
    this.template = widths.join(" ");
    const head = el("div.row.head", {role: "row", "aria-rowindex": 1}, ...this.columns.map(c =>
      el("div" + (c.right ? ".n" : ""), {role: "columnheader"}, el("button", {type: "button", onclick: () => this.sort(c)}, c.name))));
    this.head = head;
    head.style.gridTemplateColumns = this.template;
    this.body = el("div.body", {role: "rowgroup"});
    this.view = el("div.grid", {role: "table", tabindex: 0, "aria-label": this.label, "aria-colcount": this.columns.length, onscroll: () => this.draw()},
      el("div", {role: "rowgroup"}, head), this.body);
    if (HEAD + this.n * ROW < 560) this.view.style.height = HEAD + this.n * ROW + 4 + "px";
    return this.view;
  }
  find(text) {
    this.search.value = text;
    for (const s of this.element.querySelectorAll("select")) s.value = "";
    this.picks.clear();
    this.select();
    this.element.scrollIntoView({block: "center"});
    this.view.focus({preventScroll: true});
  }
  sort(c) {
    const up = this.sorted === c ? !this.up : !c.right;
    Object.assign(this, {sorted: c, up});
    for (const [i, h] of [...this.head.children].entries())
      if (this.columns[i] === c) h.setAttribute("aria-sort", up ? "ascending" : "descending");
      else h.removeAttribute("aria-sort");
    this.order = sortedOrder(this.n, c, up);
    this.select();
  }
  haystack(i) {
    if (!this.hay) this.hay = new Array(this.n);
    return this.hay[i] ?? (this.hay[i] = this.columns.filter(c => !c.right).map(c => c.text(i)).join(" ").toLowerCase());
  }
  select() {
    const terms = this.search.value.toLowerCase().split(/\s+/).filter(Boolean).map(matcher);
    const picks = [...this.picks].filter(([, v]) => v);
    this.rows = !terms.length && !picks.length ? this.order
      : this.order.filter(i => picks.every(([c, v]) => "=" + c.text(i) === v) && terms.every(t => t(this.haystack(i))));
    this.total.textContent = this.rows.length === this.n ? plural(this.n, "row") : `${count(this.rows.length)} of ${plural(this.n, "row")}`;
    this.view.setAttribute("aria-rowcount", this.rows.length + 1);
    this.body.style.height = this.rows.length * ROW + "px";
    this.view.scrollTop = 0;
    this.drawn = "";
    this.draw();
  }
  draw() {
    const first = Math.max(0, Math.floor((this.view.scrollTop - HEAD) / ROW) - 8);
    const last = Math.min(this.rows.length, first + Math.ceil((this.view.clientHeight || 600) / ROW) + 20);
    if (this.drawn === first + "-" + last) return;
    this.drawn = first + "-" + last;
    const rows = [];
    for (let k = first; k < last; k++) {
      const row = el("div.row", {role: "row", "aria-rowindex": k + 2});
      row.style.gridTemplateColumns = this.template;
      row.style.top = k * ROW + "px";
      for (const c of this.columns) {
        const text = c.text(this.rows[k]);
        row.append(el("div" + (c.right ? ".n" : ""), {role: "cell", title: text.length > 40 ? short(text, 2000) : null}, short(text)));
      }
      rows.push(row);
    }
    this.body.replaceChildren(...rows);
  }
}

function some(n, f) {
  for (let i = 0; i < n; i++) if (f(i)) return true;
  return false;
}

/** The length of a column's longest text; of numbers those at the ends are the longest. */
function longest(n, c) {
  let most = 0, low = 0, high = 0;
  if (c.right && c.value) {
    for (let i = 0; i < n; i++) {
      if (c.value(i) > c.value(high)) high = i;
      if (c.value(i) < c.value(low)) low = i;
    }
    return Math.max(c.text(low).length, c.text(high).length, 10);
  }
  for (let i = 0; i < n; i++) most = Math.max(most, c.text(i).length);
  return most;
}

/** The different texts; null if there are more. */
function distinct(n, f, most) {
  const all = new Set();
  for (let i = 0; i < n && all.size <= most; i++) all.add(f(i));
  return all.size > most ? null : [...all];
}

/** A word, or with * a pattern that may stand anywhere. */
function matcher(word) {
  if (!word.includes("*")) return text => text.includes(word);
  const pieces = word.split("*");
  return text => {
    let at = 0;
    for (const piece of pieces) {
      const found = text.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return true;
  };
}

function sortedOrder(n, c, up) {
  const sign = up ? 1 : -1, order = Uint32Array.from({length: n}, (_, i) => i);
  if (c.right || c.value) {
    const value = Float64Array.from({length: n}, (_, i) => c.value ? c.value(i) : number(c.text(i)));
    for (let i = 0; i < n; i++) if (Number.isNaN(value[i])) value[i] = -Infinity;
    return order.sort((a, b) => sign * (value[a] < value[b] ? -1 : value[a] > value[b] ? 1 : 0) || a - b);
  }
  const ranks = new Map();
  [...new Set(Array.from(order, i => c.text(i)))].sort(collator.compare).forEach((text, rank) => ranks.set(text, rank));
  const rank = Uint32Array.from({length: n}, (_, i) => ranks.get(c.text(i)));
  return order.sort((a, b) => sign * (rank[a] - rank[b]) || a - b);
}

function tensorColumns(t) {
  const text = key => i => t[key][i];
  return [
    {name: "name", text: text("name")},
    {name: "type", text: text("type"), filter: true},
    {name: "shape", text: text("shape"), value: i => t.elements[i]},
    {name: "elements", right: true, text: i => count(t.elements[i]), value: i => t.elements[i]},
    {name: "bytes", right: true, text: i => bytes(t.bytes[i]), value: i => t.bytes[i]},
    {name: "kind", text: text("kind"), filter: true},
    {name: "role", text: text("role"), filter: true},
    {name: "layout", text: text("layout"), filter: true},
    {name: "file", text: text("file"), filter: true},
  ];
}

/** Replaces the rows that an article shows without a script; these are left for paper. */
function addTensors(report, tensors) {
  const grid = new Grid(tensorColumns(tensors), tensors.n, "tensors");
  for (const s of report.article.querySelectorAll(":scope > section")) s.classList.add("print-only");
  report.article.querySelector("header").after(grid.element);
  return grid;
}

function addLarge(report) {
  const grids = [];
  for (const t of report.tables) {
    const old = report.article.querySelector(`table[data-section="${t.section}"]`);
    if (!old) continue;
    const section = old.closest("section");
    const grid = new Grid(t.columns.map(({name, right}, c) => ({name: name || " ", right, filter: !right,
      text: i => (!c && t.depths ? "  ".repeat(t.depths[i]) : "") + t.text(i, c)})), t.n, "rows");
    section.classList.add("print-only");
    section.after(grid.element);
    grids.push(grid);
  }
  return grids;
}

/** Headings of short tables sort too, unless the rows are a tree or a sum. */
function addSorting(table) {
  const heads = [...table.querySelectorAll("thead th")], body = table.tBodies[0];
  if (body.rows.length < 3 || body.querySelector("[class*=' d'], [class^='d']") || table.closest(".print-only")) return;
  const rows = [...body.rows];
  heads.forEach((th, c) => {
    if (!th.textContent) return;
    const column = {right: th.classList.contains("n"), text: i => rows[i].cells[c].textContent.trim()};
    const button = el("button", {type: "button", onclick: () => {
      const up = th.getAttribute("aria-sort") === "ascending" ? false : th.getAttribute("aria-sort") ? true : !column.right;
      for (const other of heads) other.removeAttribute("aria-sort");
      th.setAttribute("aria-sort", up ? "ascending" : "descending");
      body.append(...Array.from(sortedOrder(rows.length, column, up), i => rows[i]));
    }}, ...th.childNodes);
    th.append(button);
  });
}
