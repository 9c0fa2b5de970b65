// Draws the tables that belong to charts. Everything it shows is in the page
// already: without this script the tables are there.
"use strict";
(() => {
  const root = document.documentElement;
  const colour = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const palette = (i) => colour("--s" + ((i % shown) + 1));
  const shown = 8; // colours that people can tell apart
  const write = {
    percent: (v) => (v == null ? "–" : (v * 100).toFixed(1) + " %"),
    count: (v) => (v == null ? "–" : v.toLocaleString("en")),
  };

  // read returns times, columns of values, and their names.
  function read(table) {
    const names = [...table.tHead.rows[0].cells].slice(1).map((c) => c.textContent);
    const rows = [...table.tBodies[0].rows];
    const times = rows.map((r) => Number(r.cells[0].dataset.t));
    const value = (cell) => (cell.dataset.v === undefined ? null : Number(cell.dataset.v));
    return { names, times, columns: names.map((_, i) => rows.map((r) => value(r.cells[i + 1]))), unit: table.dataset.unit };
  }

  function axes(unit, small, times) {
    const line = { stroke: colour("--line"), width: 1 };
    const text = { stroke: colour("--soft"), font: "12px system-ui, sans-serif", grid: line, ticks: { ...line, size: 4 } };
    const room = small ? 70 : 90;
    // Ticks stand below points that there are: every day, every second one, and so on.
    const splits = (u) => { const every = Math.max(1, Math.ceil(times.length * room / u.width)); return times.filter((t, i) => i % every === 0); };
    const short = (v) => (unit === "percent" ? Math.round(v * 100) + " %" : v.toLocaleString("en"));
    return [
      { ...text, size: 30, gap: 4, grid: { show: false }, space: room, splits, values: (u, splits) => splits.map((s) => day.format(s * 1000)) },
      { ...text, size: 52, space: small ? 30 : 40, values: (u, splits) => splits.map(short), incrs: unit === "count" ? counts : undefined },
    ];
  }
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
  const counts = [1, 2, 5].flatMap((n) => [0, 1, 2, 3, 4, 5, 6, 7].map((p) => n * 10 ** p)).sort((a, b) => a - b);
  // A legend has figures and a date while someone points at a bar, and names alone otherwise.
  const when = { label: "Date", value: (u, v) => (v == null ? "" : day.format(v * 1000)) };
  const figure = (unit) => (u, v, s, at) => (at == null ? "" : write[unit](v));

  function line(d, column) {
    const i = column - 1;
    return {
      data: [d.times, d.columns[i]], legend: false, height: 120, small: true,
      series: [when, { label: d.names[i], stroke: colour("--accent"), width: 1.75, spanGaps: true, points: { show: d.times.length < 15 }, value: (u, v) => write[d.unit](v) }],
      range: [0, 1],
    };
  }

  function band(d) {
    const edge = { stroke: colour("--band"), width: 1, points: { show: false }, spanGaps: true, value: figure(d.unit) };
    return {
      data: [d.times, ...d.columns], legend: true, height: 240,
      series: [when, { label: d.names[0], stroke: colour("--accent"), width: 2, spanGaps: true, points: { show: true, size: 6, fill: colour("--accent") }, value: figure(d.unit) },
        { label: d.names[1], ...edge }, { label: d.names[2], ...edge }],
      bands: [{ series: [3, 2], fill: colour("--band") + "66" }],
      range: [0, 1],
    };
  }

  // stack piles the columns up: the first, which is the largest, lies at the bottom.
  function stack(all) {
    const d = few(all);
    const sums = d.times.map(() => 0);
    const piled = d.columns.map((c) => c.map((v, i) => (sums[i] += v || 0)));
    const bars = uPlot.paths.bars({ size: [0.8, 40] });
    const series = d.names.map((name, i) => ({
      label: name, stroke: palette(i), fill: palette(i), width: 0, paths: bars, points: { show: false },
      value: (u, v, s, at) => (at == null ? "" : write.count(d.columns[i][at])),
    }));
    return { data: [d.times, ...piled.reverse()], legend: true, height: 260, series: [when, ...series.reverse()] };
  }

  // few keeps the largest columns, and adds up the others.
  function few(d) {
    if (d.names.length <= shown) return d;
    const rest = d.times.map((_, i) => d.columns.slice(shown - 1).reduce((sum, c) => sum + (c[i] || 0), 0));
    return { ...d, names: [...d.names.slice(0, shown - 1), "all others"], columns: [...d.columns.slice(0, shown - 1), rest] };
  }

  const kinds = { line, band, stack };
  let drawn = [];

  function draw(place) {
    const d = read(document.getElementById(place.dataset.table));
    const c = kinds[place.dataset.kind](d, Number(place.dataset.column));
    place.replaceChildren();
    const plot = new uPlot({
      width: place.clientWidth, height: c.height, tzDate: (t) => uPlot.tzDate(new Date(t * 1000), "UTC"),
      series: c.series, bands: c.bands, axes: axes(d.unit, c.small, d.times), legend: { show: c.legend },
      scales: { x: { range: edges(d, place) }, y: { range: c.range || ((u, low, high) => [0, Math.max(1, high * 1.08)]) } },
      cursor: { drag: { x: false, y: false }, points: { show: place.dataset.kind !== "stack" } },
    }, c.data, place);
    const legend = place.querySelector(".u-legend tbody") || place.querySelector(".u-legend");
    if (legend) {
      const names = [...legend.children].slice(1);
      legend.append(...(place.dataset.kind === "stack" ? names.reverse() : names), legend.children[0]); // the date comes last
    }
    drawn.push({ plot, place, height: c.height });
  }

  // edges leave room for half a bar at both ends.
  function edges(d, place) {
    const step = d.times.length > 1 ? d.times[1] - d.times[0] : 86400;
    const room = place.dataset.kind === "stack" ? step / 2 : d.times.length > 1 ? 0 : step;
    return [d.times[0] - room, d.times[d.times.length - 1] + room];
  }

  function drawAll() {
    drawn.forEach((c) => c.plot.destroy());
    drawn = [];
    document.querySelectorAll(".chart").forEach(draw);
  }

  root.classList.add("drawn");
  drawAll();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  new ResizeObserver(() => drawn.forEach((c) => {
    if (c.place.clientWidth !== c.plot.width) c.plot.setSize({ width: c.place.clientWidth, height: c.height });
  })).observe(document.querySelector("main"));

  // A page that takes a moment says so; coming back to it must not.
  const loading = document.getElementById("loading");
  const busy = (on) => { loading.classList.toggle("on", on); loading.textContent = on ? "Loading…" : ""; };
  document.addEventListener("submit", () => busy(true));
  document.addEventListener("click", (e) => {
    const a = e.target.closest("a[href]");
    if (a && !a.download && a.origin === location.origin && a.pathname + a.search !== location.pathname + location.search &&
      !a.hasAttribute("download") && !e.defaultPrevented && e.button === 0 && !e.metaKey && !e.ctrlKey && !e.shiftKey) busy(true);
  });
  addEventListener("pageshow", () => busy(false));

  // An open menu closes with Escape and with a click elsewhere.
  const menu = document.querySelector(".switch");
  if (menu) {
    document.addEventListener("click", (e) => { if (!menu.contains(e.target)) menu.open = false; });
    menu.addEventListener("keydown", (e) => {
      if (e.key === "Escape") { menu.open = false; menu.querySelector("summary").focus(); }
    });
  }
})();
