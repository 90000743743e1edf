/* page.js -- the page: what each article gets, the bar at the top; and the beginning. */

// ---- many checkpoints ---------------------------------------------------------------------

function addListMap(report, grid) {
  const t = report.tables[0], table = report.article.querySelector("table");
  if (!table) return;
  const heads = t ? t.names : [...table.querySelectorAll("thead th")].map(th => th.textContent.trim());
  const n = t ? t.n : table.tBodies[0].rows.length;
  const get = (i, c) => c < 0 ? "" : t ? t.text(i, c) : table.tBodies[0].rows[i].cells[c]?.textContent.trim() || "";
  const [name, size, parameters, verdict] = ["name", "size", "parameters", "verdict"].map(h => heads.indexOf(h));
  if (name < 0 || size < 0 || n < 2) return;
  const items = {n, name: [], word: [], elements: new Float64Array(n), bytes: new Float64Array(n)};
  for (let i = 0; i < n; i++) {
    items.name.push(get(i, name));
    items.word.push(get(i, verdict) || "not checked");
    items.bytes[i] = number(get(i, size)) || 0;
    items.elements[i] = number(get(i, parameters)) || 0;
  }
  const rows = t ? null : [...table.tBodies[0].rows];
  const verdicts = ["incomplete", "agrees", "in part", "disagrees", "damaged", "unknown", "not checked"];
  const map = new TreeMap([["folders", () => treeOf(items, i => items.name[i].split("/"))]], [new Paint("verdict", verdicts, items.word)],
    i => rows ? rows[i].scrollIntoView({block: "center"}) : grid.find(items.name[i]), ["parameters", "checkpoint"]);
  map.element.prepend(el("h3", {}, "Where the bytes are"));
  report.article.querySelector("header").after(map.element);
}

// ---- the page -----------------------------------------------------------------------------

/** The causes of a judgement, the first one first; what the article says anyway is not said twice. */
function addCauses(report) {
  const judgement = report.document && report.document.judgement, causes = (judgement && judgement.causes) || [];
  if (!causes.length) return;
  const list = el("ul.causes" + (judgement.verdict === "in part" || judgement.verdict === "unknown" ? ".part" : ""), {"aria-label": "causes"},
    ...causes.map(c => el("li", {}, short(safe(c.text), 2000), c.explains > 1 ? el("span.soft", {}, ` (explains ${plural(c.explains, "finding")})`) : null)));
  report.article.querySelector("header").after(list);
}

function addHeading(article) {
  const code = article.querySelector("h1 > code");
  if (!code) return;
  const path = code.textContent.replace(/\/+$/, ""), name = base(path);
  if (name && name !== path && name.length < 200) code.replaceWith(name, el("small", {}, short(path, 400)));
}

function addBar(all) {
  const links = el("ul");
  all.forEach((group, g) => group.forEach((report, i) => {
    const heading = report.article.querySelector("h1, h2"), id = `r${g}-${i}`;
    report.article.id = id;
    const word = i ? heading.textContent : all.length > 1 ? heading.firstChild.textContent : "Top";
    if (!report.article.hidden) links.append(el("li", {}, el("a", {href: "#" + id}, short(word, 60))));
  }));
  if (links.children.length < 2) return;
  document.body.prepend(el("a.skip", {href: "#" + all[0][0].article.id}, "to the report"), el("nav.bar", {"aria-label": "reports"}, links));
  const seen = new IntersectionObserver(entries => {
    for (const e of entries) {
      const link = links.querySelector(`a[href="#${e.target.id}"]`);
      if (!link || !e.isIntersecting) continue;
      for (const other of links.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
      link.setAttribute("aria-current", "true");
    }
  }, {rootMargin: "-10% 0px -80% 0px"});
  for (const group of all) for (const report of group) seen.observe(report.article);
}

function addModel(group, lines) {
  if (!lines.length) return;
  const tensors = joined(lines.map(tensorsOf));
  for (const other of lines.slice(1)) other.article.hidden = true;
  if (!tensors.n) return;
  let grid = null;
  addMap(group, tensors, name => grid && grid.find(name));
  performance.mark("map");
  later.push(() => { grid = addTensors(lines[0], tensors); });
}

function dress(group) {
  const lines = group.filter(r => r.report === "tensors"), longest = group.find(r => r.report === "show")?.document?.context_length;
  for (const report of group) {
    if (report.main) addHeading(report.article);
    if (report.main) addCauses(report);
    if (report.report === "memory" && report.document) addPlot(report, longest);
    const grids = report.report === "tensors" ? [] : addLarge(report);
    if (report.report === "list") addListMap(report, grids[0]);
  }
  if (group[0].report === "diff") {
    for (const r of lines) r.article.hidden = true;
    addDiff(group[0], ...lines.map(tensorsOf));
  } else addModel(group, lines);
  for (const report of group) for (const table of report.article.querySelectorAll("table[data-section]")) addSorting(table);
}

/** What is done once the page has been painted: tables below the first picture. */
const later = [];
const all = groups();
for (const group of all) dress(group);
addBar(all);
requestAnimationFrame(() => setTimeout(() => {
  for (const step of later) step();
  document.documentElement.dataset.ready = "true";
}));
