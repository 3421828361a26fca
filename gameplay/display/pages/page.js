"use strict";
(function () {
  const data = JSON.parse(document.getElementById("games").textContent);
  const find = (id) => document.getElementById(id);
  const stage = data.stage, games = data.games;
  const SVG = "http://www.w3.org/2000/svg", WIN = 1000000, TB_WIN = 999744, MAX_EVAL = 999488;
  let game = 0, ply = 0, pictures = [];

  function make(tag, parent, words, attributes) {
    const node = tag.startsWith("svg:") ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
    if (words !== undefined && words !== null) node.textContent = words;
    for (const key in attributes || {}) node.setAttribute(key, attributes[key]);
    if (parent) parent.appendChild(node);
    return node;
  }

  function valued(value) {
    const size = Math.abs(value);
    if (size > MAX_EVAL) return (value > 0 ? "win" : "loss") + (size > TB_WIN ? " in " + (WIN - size) : "");
    return value > 0 ? "+" + value : String(value);
  }

  const side = (player) => (player < 0 ? "chance" : data.sides[player]);

  // Every picture of a game, from the first one and what changes at each ply.
  function developed(one) {
    const found = [one.cells ? { cells: one.cells, last: [], line: [] } : { text: one.text }];
    for (const entry of one.plies) {
      if (!one.cells) { found.push({ text: entry[6] }); continue; }
      const cells = found[found.length - 1].cells.slice();
      for (let i = 0; i < entry[6].length; i += 2) cells[entry[6][i]] = entry[6][i + 1];
      found.push({ cells: cells, last: entry[7], line: entry[8] });
    }
    return found;
  }

  function drawBoard(picture) {
    const box = find("board");
    box.textContent = "";
    if (!picture.cells) { make("pre", box, picture.text); return; }
    const table = make("table", box, null, { "class": "board" });
    const labels = stage.rows.some((label) => label);
    const head = make("tr", make("thead", table));
    if (labels) make("td", head, "");
    for (const label of stage.columns) make("th", head, label, { scope: "col" });
    const body = make("tbody", table);
    const wide = stage.columns.length;
    for (let y = 0; y < picture.cells.length / wide; y++) {
      const row = make("tr", body);
      if (labels) make("th", row, stage.rows[y], { scope: "row" });
      for (let x = 0; x < wide; x++) {
        const at = y * wide + x, piece = picture.cells[at];
        const classes = [];
        if (picture.line.includes(at)) classes.push("won");
        else if (picture.last.includes(at)) classes.push("last");
        if (stage.ground === "chequered" && (x + y) % 2) classes.push("dark");
        const cell = make("td", row, null, { "class": classes.join(" ") });
        const owner = stage.owners[piece];
        const colour = stage.white === null ? "p" + (owner % 4) : owner === stage.white ? "white" : "black";
        const sign = stage.glyphs[piece] || piece || "\u00a0";
        make("span", cell, sign, piece && owner !== undefined ? { "class": colour } : {});
      }
    }
    // Where many columns have to fit, cells are as high as they are wide, and pieces smaller.
    if (wide > 10) table.style.fontSize = Math.max(8, Math.floor(170 / wide)) + "px";
  }

  // From the view of the first seat, between -1 and 1.
  function height(entry) {
    const value = entry[1] === 0 ? entry[2] : -entry[2];
    if (Math.abs(value) > MAX_EVAL) return value > 0 ? 1 : -1;
    return 0.9 * value / (Math.abs(value) + data.scale);
  }

  function drawCurve(one) {
    const box = find("curve");
    box.textContent = "";
    if (one.curve) { drawExpected(one, box); return; }
    if (data.sides.length !== 2 || !one.plies.some((entry) => entry[2] !== null)) {
      make("p", box, "No move of this game has a value.", { "class": "dim" });
      return;
    }
    const wide = 340, high = 130, left = 4, right = wide - 4, middle = 62, reach = 48;
    const svg = make("svg:svg", box, null, {
      viewBox: "0 0 " + wide + " " + high, role: "img",
      "aria-label": "What each player thought of the game, from the view of " + side(0),
    });
    const x = (at) => left + (right - left) * at / Math.max(1, one.plies.length);
    const y = (share) => middle - reach * share;
    make("svg:line", svg, null, { x1: left, x2: right, y1: middle, y2: middle, "class": "axis" });
    make("svg:text", svg, side(0) + " is better", { x: left, y: 11, "class": "dim" });
    make("svg:text", svg, side(1) + " is better", { x: left, y: high - 12, "class": "dim" });
    for (const seat of [0, 1]) {
      const points = [];
      one.plies.forEach((entry, at) => {
        if (entry[1] === seat && entry[2] !== null) points.push([x(at + 1), y(height(entry))]);
      });
      const name = seat ? "b" : "a";
      make("svg:polyline", svg, null, { points: points.map((p) => p.join(",")).join(" "), "class": "line-" + name });
      for (const [px, py] of points) {
        if (seat) make("svg:rect", svg, null, { x: px - 2.5, y: py - 2.5, width: 5, height: 5, "class": "fill-b" });
        else make("svg:circle", svg, null, { cx: px, cy: py, r: 2.5, "class": "fill-a" });
      }
    }
    make("svg:line", svg, null, { id: "now", x1: 0, x2: 0, y1: 14, y2: high - 22, "class": "now" });
    make("svg:circle", svg, null, { cx: wide - 150, cy: high - 16, r: 3, "class": "fill-a" });
    make("svg:text", svg, side(0), { x: wide - 143, y: high - 12, "class": "dim" });
    make("svg:rect", svg, null, { x: wide - 78, y: high - 19, width: 6, height: 6, "class": "fill-b" });
    make("svg:text", svg, side(1), { x: wide - 68, y: high - 12, "class": "dim" });
    svg.addEventListener("click", (event) => {
      const place = svg.getBoundingClientRect();
      const at = (event.clientX - place.left) / place.width * wide;
      show(Math.round((at - left) / (right - left) * one.plies.length));
    });
  }

  // Of a review: what the first player could expect after each move, from 1 (above) to 0.
  function drawExpected(one, box) {
    const wide = 340, high = 130, left = 4, right = wide - 4, middle = 65, reach = 46;
    const svg = make("svg:svg", box, null, {
      viewBox: "0 0 " + wide + " " + high, role: "img",
      "aria-label": "What " + side(0) + " could expect after each move, a win above, a loss below",
    });
    const x = (at) => left + (right - left) * at / Math.max(1, one.plies.length);
    const y = (share) => middle - reach * (2 * share - 1);
    make("svg:line", svg, null, { x1: left, x2: right, y1: middle, y2: middle, "class": "axis" });
    make("svg:text", svg, side(0) + " is better", { x: left, y: 11, "class": "dim" });
    make("svg:text", svg, side(1) + " is better", { x: left, y: high - 3, "class": "dim" });
    let last = 0.5;
    const points = [[x(0), middle]];
    one.curve.forEach((share, at) => {
      if (share !== null) last = share;
      points.push([x(at + 1), y(last)]);
    });
    make("svg:polyline", svg, null, { points: points.map((p) => p.join(",")).join(" "), "class": "line-a" });
    one.signs.forEach((sign, at) => {
      if (sign) make("svg:circle", svg, null, { cx: points[at + 1][0], cy: points[at + 1][1], r: { "?!": 2, "?": 3, "??": 4.5 }[sign], "class": "fill-b" });
    });
    make("svg:line", svg, null, { id: "now", x1: 0, x2: 0, y1: 14, y2: high - 14, "class": "now" });
    svg.addEventListener("click", (event) => {
      const place = svg.getBoundingClientRect();
      const at = (event.clientX - place.left) / place.width * wide;
      show(Math.round((at - left) / (right - left) * one.plies.length));
    });
  }

  function listMoves(one) {
    const list = find("moves");
    list.textContent = "";
    one.plies.forEach((entry, at) => {
      const item = make("li", list, null, at < one.opening ? { "class": "given" } : {});
      const sign = one.signs ? one.signs[at] : "";
      const label = (at + 1) + ". " + side(entry[1]) + " " + entry[0] + (sign ? ", " + one.comments[at] : "");
      const button = make("button", item, entry[0] + sign, { type: "button", "aria-label": label });
      button.addEventListener("click", () => show(at + 1));
    });
  }

  function say(one) {
    if (!ply) return "The start. " + one.plies.length + " plies; " + one.ended;
    const entry = one.plies[ply - 1];
    const who = entry[1] < 0 ? "Chance" : side(entry[1]) + " (" + one.names[entry[1]] + ")";
    let words = ply + ". " + who + ": " + entry[0];
    if (ply <= one.opening) words += ", given";
    if (one.comments) {
      if (one.comments[ply - 1]) words += "; " + one.comments[ply - 1];
    } else if (entry[2] !== null) {
      words += "; value " + valued(entry[2]) + " for " + side(entry[1]) + ", depth " + entry[3];
      if (entry[4] !== null) words += ", " + entry[4].toLocaleString("en") + " nodes";
      if (entry[5]) words += ", " + (entry[5] < 0.001 ? "under 1 ms" : entry[5] < 1 ? Math.round(1000 * entry[5]) + " ms" : entry[5].toFixed(1) + " s");
    }
    return words + (ply === one.plies.length ? ". " + one.ended : "");
  }

  function show(to) {
    const one = games[game];
    ply = Math.min(Math.max(0, to), one.plies.length);
    drawBoard(pictures[ply]);
    find("said").textContent = say(one);
    find("ply").value = ply;
    const now = find("now");
    if (now) {
      const at = 4 + 332 * ply / Math.max(1, one.plies.length);
      now.setAttribute("x1", at);
      now.setAttribute("x2", at);
    }
    const buttons = find("moves").querySelectorAll("button");
    buttons.forEach((button, at) => {
      if (at === ply - 1) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    if (ply && buttons[ply - 1]) {
      const list = find("moves"), button = buttons[ply - 1];
      list.scrollTop = Math.max(0, button.offsetTop - list.offsetTop - list.clientHeight / 2);
    }
    try { history.replaceState(null, "", "#game=" + (game + 1) + "&ply=" + ply); } catch (error) { /* a page in a page */ }
    document.documentElement.dataset.shown = "game " + (game + 1) + " ply " + ply;
  }

  function choose(number, at) {
    game = Math.min(Math.max(0, number), games.length - 1);
    const one = games[game];
    pictures = developed(one);
    find("game").value = game;
    find("ply").max = one.plies.length;
    find("who").textContent = one.names.map((name, seat) => side(seat) + ": " + name).join(", ");
    listMoves(one);
    drawCurve(one);
    show(at === undefined ? one.opening : at);
  }

  function asked() {
    const words = new URLSearchParams((location.hash.slice(1) || location.search.slice(1)));
    const number = parseInt(words.get("game"), 10), at = parseInt(words.get("ply"), 10);
    choose(isNaN(number) ? 0 : number - 1, isNaN(at) ? undefined : at);
  }

  function begin() {
    if (!games.length) return;
    const list = find("game");
    games.forEach((one, number) => make("option", list, (number + 1) + ". " + one.names.join(" - ") + ", " + one.score, { value: number }));
    list.addEventListener("change", () => choose(Number(list.value)));
    find("ply").addEventListener("input", (event) => show(Number(event.target.value)));
    const steps = {
      first: () => show(0), back: () => show(ply - 1), next: () => show(ply + 1),
      last: () => show(games[game].plies.length), before: () => choose(game - 1), after: () => choose(game + 1),
    };
    for (const name in steps) find(name).addEventListener("click", steps[name]);
    const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", p: "before", n: "after" };
    document.addEventListener("keydown", (event) => {
      const name = keys[event.key];
      if (!name || event.ctrlKey || event.altKey || event.metaKey) return;
      if (["SELECT", "INPUT", "TEXTAREA"].includes(event.target.tagName)) return;
      if (event.target.closest(".wide")) return;  // there the arrows scroll a table
      steps[name]();
      event.preventDefault();
    });
    let from = null;
    find("board").addEventListener("touchstart", (event) => { from = event.touches[0]; }, { passive: true });
    find("board").addEventListener("touchend", (event) => {
      const to = event.changedTouches[0];
      if (from && Math.abs(to.clientX - from.clientX) > 30) show(ply + (to.clientX < from.clientX ? 1 : -1));
      from = null;
    });
    window.addEventListener("hashchange", asked);
    asked();
  }

  // Under a table that is too wide for the screen: where there is more of it.
  function hint() {
    for (const box of document.querySelectorAll(".wide")) {
      const hidden = box.scrollWidth - box.clientWidth;
      let note = box.nextElementSibling;
      if (!note || !note.classList.contains("hint")) {
        if (hidden < 2) continue;
        note = document.createElement("p");
        note.className = "hint";
        box.after(note);
      }
      note.hidden = hidden < 2;
      const left = box.scrollLeft > 1, right = box.scrollLeft < hidden - 1;
      note.textContent = (left ? "\u2190 " : "") + "more columns: scroll sideways" + (right ? " \u2192" : "");
    }
  }

  function hints() {
    hint();
    for (const box of document.querySelectorAll(".wide")) box.addEventListener("scroll", hint, { passive: true });
    for (const box of document.querySelectorAll("details")) box.addEventListener("toggle", hint);
    window.addEventListener("resize", hint);
  }

  try {
    hints();
    begin();
    document.documentElement.dataset.script = "ran";
  } catch (error) {
    document.documentElement.dataset.script = "failed: " + error;
  }
})();
