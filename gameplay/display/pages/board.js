"use strict";
// Draws a board as SVG: `looks` is what all boards of a game share, `picture` the cells (see board.py).
const SVG = "http://www.w3.org/2000/svg";

function add(parent, tag, attributes, text) {
  const one = document.createElementNS(SVG, tag);
  for (const key in attributes) one.setAttribute(key, attributes[key]);
  if (text !== undefined) one.textContent = text;
  parent.appendChild(one);
  return one;
}

function drawBoard(looks, picture, label) {
  const { cells, last, line } = picture;
  const high = cells.length, wide = Math.max(...cells.map((row) => row.length));
  const left = looks.rows.some((name) => name) ? 1 : 0.2, top = looks.columns.some((name) => name) ? 0.8 : 0.2;
  const at = (y, x) => ({ cx: left + x + 0.5, cy: top + y + 0.5 });
  const among = (list, y, x) => list.some(([v, u]) => v === y && u === x);
  const lines = looks.links.length > 0;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${left + wide + 0.2} ${top + high + 0.2}`);
  svg.setAttribute("class", "board " + looks.ground);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  looks.columns.forEach((name, x) => add(svg, "text", { class: "label", x: left + x + 0.5, y: top - 0.2 }, name));
  looks.rows.forEach((name, y) => add(svg, "text", { class: "label", x: left / 2, y: top + y + 0.65 }, name));
  for (const [one, other] of looks.links) {
    const from = at(...one), to = at(...other);
    add(svg, "path", { class: "line", d: `M${from.cx} ${from.cy}L${to.cx} ${to.cy}` });
  }
  cells.forEach((row, y) => row.forEach((piece, x) => {
    if (piece === null) return;
    const dark = looks.ground === "chequered" && (x + y) % 2;
    const centre = at(y, x), owner = looks.owners[piece];
    if (!lines) add(svg, "rect", { class: dark ? "cell dark" : "cell", x: left + x, y: top + y, width: 1, height: 1 });
    const colour = looks.white === null ? "p" + owner % 4 : owner === looks.white ? "white" : "black";
    const disc = piece && owner !== undefined;
    if (disc) add(svg, "circle", { ...centre, r: 0.41, class: "piece " + colour });
    const sign = looks.glyphs[piece] || piece;
    if (piece && !(disc && "●○".includes(sign))) {
      const size = sign.length > 2 ? " small" : "";
      const on = disc ? " on " + colour : "";
      add(svg, "text", { class: "sign" + size + on, x: centre.cx, y: centre.cy + 0.21 }, sign);
    }
    if (among(line, y, x)) add(svg, "circle", { ...centre, r: 0.46, class: "won" });
    else if (among(last, y, x)) add(svg, "circle", { ...centre, r: 0.46, class: "last" });
  }));
  return svg;
}
