/* page_diff.js -- two checkpoints: what changed by layer, and tensors side by side. */

const CHANGES = ["same", "merged", "renamed", "retyped", "quantized", "rearranged", "reshaped", "removed", "added"];
const CHANGE_WORDS = {merged: "merged or split", retyped: "dtype changed"};

/** Every tensor of either side, with its counterpart and what changed. */
function pairsOf(doc, a, b) {
  const changed = new Map(), inB = new Map(), values = new Map(), out = [], taken = new Set();
  for (const change of CHANGES.slice(2))
    for (const x of doc[change] || []) changed.set((change === "added" ? "b " : "a ") + safe(x.name), {change, ...x});
  for (const v of (doc.values && doc.values.tensors) || []) values.set(safe(v.name), v);
  if (b) b.name.forEach((name, i) => inB.set(name, i));
  if (a) a.name.forEach((name, i) => {
    const link = changed.get("a " + name), other = link && link.b_name ? safe(link.b_name) : name;
    const k = link && link.change === "removed" ? undefined : inB.get(other);
    if (k !== undefined) taken.add(k);
    out.push({name, other, a: i, b: k, change: link ? link.change : k !== undefined ? "same" : "merged", cause: link && link.cause, value: values.get(name)});
  });
  if (b) b.name.forEach((name, k) => {
    const link = changed.get("b " + name);
    if (!taken.has(k)) out.push({name, other: name, b: k, change: link ? "added" : "merged", cause: link && link.cause});
  });
  return out;
}

/** How far values differ, 0 to 1; null if unknown. */
function heatOf(value) {
  if (!value || value.not_compared) return null;
  if (value.equal_bits || !value.rel_l2) return value.differing ? 0.15 : 0;
  return Math.min(1, Math.max(0.12, 1 + Math.log10(value.rel_l2) / 5));
}

/** Layers down, what a layer has across; tensors outside of layers apart. */
function matrixOf(pairs) {
  const stems = new Map(), outside = [];
  for (const p of pairs) {
    const m = p.name.length < 2000 && /^((?:[^.]*\.)*?)(\d+)\.(.*)$/.exec(p.name);
    if (!m) { outside.push(p); continue; }
    if (!stems.has(m[1])) stems.set(m[1], {rows: new Map(), tails: new Map(), pairs: []});
    const s = stems.get(m[1]), tail = starred(m[3]), layer = +m[2];
    s.pairs.push(p);
    s.tails.set(tail, true);
    if (!s.rows.has(layer)) s.rows.set(layer, new Map());
    const row = s.rows.get(layer);
    if (!row.has(tail)) row.set(tail, []);
    row.get(tail).push(p);
  }
  for (const [stem, s] of stems) if (s.rows.size < 2 || s.tails.size > 120) outside.push(...s.pairs), stems.delete(stem);
  return {stems, outside};
}

/** What a pair's change is called; headers alone cannot tell that values differ. */
const changeText = p => p.change === "same" && heatOf(p.value) ? "values differ" : CHANGE_WORDS[p.change] || p.change;

const worst = pairs => pairs.reduce((w, p) => CHANGES.indexOf(p.change) > CHANGES.indexOf(w) ? p.change : w, "same");

function pairText(p, a, b) {
  const end = (t, i) => i === undefined ? "\u2014" : `${t.type[i]} ${t.shape[i]}`;
  const rel = p.value && p.value.rel_l2 ? `; rel L2 ${p.value.rel_l2.toPrecision(3)}` : p.value && p.value.equal_bits ? "; identical bits" : "";
  const from = end(a, p.a), to = end(b, p.b);
  return `${changeText(p)}: ${from}${to === from ? "" : " \u2192 " + to}${p.other !== p.name ? ", as " + short(p.other, 120) : ""}${p.cause ? "; " + p.cause : ""}${rel}`;
}

function heatTable(stem, s, a, b, read) {
  const tails = [...s.tails.keys()], layers = [...s.rows.keys()].sort((x, y) => x - y);
  const table = el("table", {role: "grid", "aria-label": short(stem) + " what changed by layer"},
    el("thead", {}, el("tr", {role: "row"}, el("th", {scope: "col"}, short(stem.replace(/\.$/, ""), 40)), ...tails.map(t => el("th", {scope: "col"}, el("span", {title: short(t)}, short(t, 60)))))));
  const body = el("tbody");
  for (const layer of layers)
    body.append(el("tr", {role: "row"}, el("th", {scope: "row"}, String(layer)), ...tails.map(t => heatCell(s.rows.get(layer).get(t), `${stem}${layer}.${t}`, a, b, read))));
  table.append(body);
  const first = body.querySelector("td:not(.none)");
  if (first) first.tabIndex = 0;
  table.addEventListener("keydown", e => moveCell(e, body));
  return el("div.heat", {}, table);
}

function heatCell(pairs, name, a, b, read) {
  if (!pairs) return el("td.none", {role: "gridcell", "aria-label": name + ": none"});
  const change = worst(pairs), text = pairText(pairs.find(p => p.change === change), a, b) + (pairs.length > 1 ? `; ${plural(pairs.length, "tensor")}` : "");
  const heats = pairs.map(p => heatOf(p.value)).filter(h => h !== null), heat = heats.length ? Math.max(...heats) : 0;
  const cell = el("td.ch-" + change, {role: "gridcell", tabindex: -1, "aria-label": name + ": " + text});
  if (change === "same" && heat) cell.style.background = `color-mix(in srgb, var(--heat) ${Math.round(heat * 100)}%, var(--same))`;
  const tell = () => read.replaceChildren(el("b", {}, short(name)), " \u2014 " + text);
  cell.addEventListener("pointerenter", tell);
  cell.addEventListener("focus", tell);
  return cell;
}

function moveCell(e, body) {
  const at = document.activeElement.closest("td"), steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[e.key];
  if (!at || !steps) return;
  let r = at.parentElement.sectionRowIndex, c = at.cellIndex;
  do {
    r += steps[0];
    c += steps[1];
  } while (body.rows[r] && body.rows[r].cells[c] && body.rows[r].cells[c].matches("td.none"));
  const to = body.rows[r] && body.rows[r].cells[c];
  e.preventDefault();
  if (!to || to.tagName !== "TD") return;
  at.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}

function addSides(report) {
  const doc = report.document;
  const side = (letter, s) => el("div", {}, el("h3", {}, letter + " "), el("code", {}, short(safe(s.name || s.path || ""))), el("dl", {}, ...[
    ["format", s.format], ["architecture", s.architecture], ["judgement", s.judgement && s.judgement.verdict], ["tensors", s.tensors && count(s.tensors)],
    ["elements", s.elements && `${count(s.elements)} (${elements(s.elements)})`], ["size", s.bytes && bytes(s.bytes)],
  ].filter(([, v]) => v).map(([k, v]) => el("div", {}, el("dt", {}, k), el("dd", {}, safe(v))))));
  if (doc.a && doc.b) report.article.querySelector("header").after(el("section.sides", {}, side("a", doc.a), side("b", doc.b)));
}

function addDiff(report, a, b) {
  addSides(report);
  const pairs = pairsOf(report.document, a, b), {stems, outside} = matrixOf(pairs);
  const seen = CHANGES.filter(c => pairs.some(p => p.change === c)), read = el("p.read", {"aria-live": "polite"}, "Arrows move from tensor to tensor.");
  const heated = pairs.some(p => heatOf(p.value));
  const section = el("section", {}, el("h3", {}, "By layer"));
  for (const [stem, s] of stems) section.append(heatTable(stem, s, a, b, read));
  if (outside.length && outside.length < 400) section.append(el("div.chips", {}, ...outside.map(p => el("span.ch-" + p.change, {title: pairText(p, a, b)}, short(p.name, 80)))));
  const legend = el("ul.legend", {}, ...seen.map(c => {
    const i = el("i.ch-" + c);
    if (c === "same") i.style.background = "var(--same)";
    return el("li", {}, i, (CHANGE_WORDS[c] || c) + " " + count(pairs.filter(p => p.change === c && !(c === "same" && heatOf(p.value))).length));
  }));
  if (heated) {
    const i = el("i");
    i.style.background = "var(--heat)";
    legend.append(el("li", {}, i, `values differ ${count(pairs.filter(p => heatOf(p.value)).length)}, the more the redder`));
  }
  section.append(legend, read);
  const end = (t, i) => i === undefined ? "" : t.type[i] + " " + t.shape[i];
  const size = (t, i) => i === undefined ? 0 : t.elements[i];
  const delta = p => size(b, p.b) - size(a, p.a);
  const grid = new Grid([
    {name: "name", text: i => pairs[i].name}, {name: "change", text: i => changeText(pairs[i]), filter: true},
    {name: "a", text: i => end(a, pairs[i].a)}, {name: "b", text: i => end(b, pairs[i].b)},
    {name: "elements", right: true, text: i => (delta(pairs[i]) > 0 ? "+" : "") + count(delta(pairs[i])), value: i => delta(pairs[i])},
    {name: "rel L2", right: true, text: i => pairs[i].value && pairs[i].value.rel_l2 ? pairs[i].value.rel_l2.toPrecision(3) : "", value: i => (pairs[i].value && pairs[i].value.rel_l2) || 0},
    {name: "cause", text: i => pairs[i].cause || "", filter: true},
    {name: "name in b", text: i => pairs[i].other === pairs[i].name ? "" : pairs[i].other},
  ], pairs.length, "tensors of both");
  const facts = report.article.querySelector(".sides") || report.article.querySelector("header");
  facts.after(section);
  report.article.append(el("section", {}, el("h3", {}, "Tensors side by side"), grid.element));
}
