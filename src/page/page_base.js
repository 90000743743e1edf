"use strict";
/*
 * page_base.js -- what the script of a page (html.h) is made of: elements, numbers, the data of the page.
 *
 * The build joins page_*.js and page.js, which comes last and begins. The script adds what can be clicked; the articles are there
 * without it. Text goes into the page as text alone, never as markup. Texts of tables are escaped as the terminal shows them;
 * those of documents are raw, and pass safe().
 */

// ---- elements -----------------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";

/** An element: el("p.hint", {title: "x", onclick: f}, "text", child) */
function el(what, facts, ...inside) {
  const [tag, ...classes] = what.split(".");
  return fill(document.createElement(tag), classes, facts, inside);
}

function svg(what, facts, ...inside) {
  const [tag, ...classes] = what.split(".");
  return fill(document.createElementNS(SVG, tag), classes, facts, inside);
}

function fill(e, classes, facts, inside) {
  if (classes.length) e.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(facts || {})) {
    if (key.startsWith("aria-") && typeof value === "boolean") e.setAttribute(key, String(value));
    else if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (value === true) e.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) e.setAttribute(key, value);
  }
  e.append(...inside.filter(x => x !== null && x !== undefined));
  return e;
}

/** Buttons of which one is pressed. */
function choice(label, words, current, pick) {
  const group = el("span", {role: "group", "aria-label": label});
  for (const [word, value] of words)
    group.append(el("button", {type: "button", "aria-pressed": value === current, onclick: e => {
      for (const b of group.children) b.setAttribute("aria-pressed", b === e.currentTarget);
      pick(value);
    }}, word));
  return el("span.choice", {}, label, group);
}

// ---- text and numbers ---------------------------------------------------------------------

const UNSAFE = /[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"};

/** Raw text as the terminal shows it: what is invisible, or would reorder its neighbours, is escaped. */
function safe(text) {
  return String(text).replace(UNSAFE, c => {
    const code = c.codePointAt(0);
    return NAMED[c] || (code < 256 ? "\\x" + code.toString(16).padStart(2, "0") : "\\u" + code.toString(16).padStart(4, "0"));
  });
}

const short = (text, most = 300) => text.length > most ? text.slice(0, most) + "\u2026" : text;
const english = new Intl.NumberFormat("en-US");
const count = n => n < 1000 && n >= 0 ? String(n) : english.format(n);
const plural = (n, noun) => count(n) + " " + noun + (n === 1 ? "" : "s");

function scaled(n, base, units) {
  let i = 0;
  while (n >= base && i < units.length - 1) n /= base, i++;
  return (i ? n.toFixed(n < 100 ? 2 : 1) : String(n)) + " " + units[i];
}
const bytes = n => scaled(n, 1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]);
const elements = n => n < 1000 ? String(n) : scaled(n, 1000, ["", "K", "M", "B", "T", "Q"]);
const base = path => path.slice(path.lastIndexOf("/") + 1);
const percent = (part, whole) => !whole ? "" : part > 0 && part / whole < 0.0005 ? "<0.1 %" : (part / whole * 100).toFixed(1) + " %";

const UNITS = {B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, PiB: 2 ** 50, EiB: 2 ** 60, K: 1e3, M: 1e6, T: 1e12, Q: 1e15};

/** The number that a cell shows, "12.5 GiB" or "6.74 B"; NaN if it is none. A B alone is of bytes only without a fraction. */
function number(text) {
  const m = /^([+-]?[\d,]+(\.\d+)?)(?: ([A-Za-z]+|%))?$/.exec(text);
  if (!m) return NaN;
  const unit = m[3] === "B" && m[2] ? 1e9 : UNITS[m[3]] || 1;
  return parseFloat(m[1].replaceAll(",", "")) * unit;
}

// ---- data ---------------------------------------------------------------------------------

/** Rows of text by columns: a cell is its text, or a number, its place among the column's words. */
class Table {
  constructor(t) {
    Object.assign(this, {columns: t.columns, names: t.columns.map(c => c.name), n: t.rows, depths: t.depths, section: t.section});
  }
  text(row, c) {
    const column = this.columns[c], v = column.cells ? column.cells[row] : 0;
    return typeof v === "number" ? column.words[v] : v;
  }
  /** A column as an array of what f makes of its texts; f is asked once for each word. */
  all(name, f = text => text) {
    const column = this.columns[this.names.indexOf(name)];
    if (!column) return new Array(this.n).fill(f(""));
    const words = column.words.map(f);
    return column.cells ? column.cells.map(v => typeof v === "number" ? words[v] : f(v)) : new Array(this.n).fill(words[0]);
  }
}

/** Reports about one subject: the first has a heading of its own. */
function groups() {
  const all = [], articles = document.querySelectorAll("article");
  JSON.parse(document.getElementById("data").textContent).forEach((report, i) => {
    report.article = articles[i];
    report.tables = report.tables.map(t => new Table(t));
    if (report.main || !all.length) all.push([]);
    all[all.length - 1].push(report);
  });
  return all;
}

const KINDS = ["attention", "feed forward", "experts", "embedding", "head", "norm", "other"];

/** What a tensor is for: by its role, else by its name. */
function kindOf(role, name) {
  const what = role || name;
  if (/norm|(^|[._])ln_?\d*[._]/i.test(what)) return "norm";
  if (/expert|(^|\.)moe|router|ffn_(up|gate|down)_exps/i.test(role) || /experts?[._]/i.test(name)) return "experts";
  if (/attn|attention|(^|[._])[qkvo](_proj|_b|_a)?([._]|$)|qkv/i.test(what)) return "attention";
  if (/mlp|ffn|feed_?forward|(^|[._])(fc|gate|up|down)\d?([._]|$)/i.test(what)) return "feed forward";
  if (/emb|wte|wpe/i.test(what)) return "embedding";
  if (/(^|[._])(lm_)?head|^output\./i.test(what)) return "head";
  return "other";
}

/** The tensors of a report of lines: columns as arrays. */
function tensorsOf(report) {
  const t = report.tables[0], n = t.n, own = t.all("name"), part = t.all("component");
  const value = text => number(text) || 0;
  const out = {n, name: part.some(p => p) ? own.map((name, i) => part[i] ? part[i] + "." + name : name) : own, type: t.all("dtype"),
    shape: t.all("shape"), role: t.all("role"), layout: t.all("layout"), file: t.all("file", base),
    elements: t.all("elements", value), bytes: t.all("bytes", value)};
  const kinds = new Map();
  out.kind = own.map((name, i) => {
    const key = out.role[i] || starred(name);
    if (!kinds.has(key)) kinds.set(key, kindOf(out.role[i], name));
    return kinds.get(key);
  });
  return out;
}

function joined(all) {
  if (all.length === 1) return all[0];
  const out = {n: all.reduce((n, t) => n + t.n, 0)};
  for (const key of Object.keys(all[0])) if (key !== "n") out[key] = [].concat(...all.map(t => t[key]));
  return out;
}

/** Numbers between dots as *. */
const starred = name => short(name, 500).replace(/(^|\.)\d+(?=\.|$)/g, "$1*");
