// Draws the board of any game as a grid of buttons, and turns mouse, touch and keys into moves.

function make(tag, attributes = {}, text = "") {
  const one = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
  one.textContent = text;
  return one;
}

const key = ([row, column]) => `${row},${column}`;

const NAMES = {
  K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn",
};

export class BoardView {
  #board = null;
  #from = null;
  #here = "0,0";
  #turned = false;
  #cells = new Map();

  // `enter` is called with the words of the moves that are meant: more than one where a choice remains.
  constructor(place, { enter, announce }) {
    this.place = place;
    this.enter = enter;
    this.announce = announce;
    place.addEventListener("click", (event) => this.#click(event));
    place.addEventListener("keydown", (event) => this.#press(event));
  }

  // `sides`: the names of the players; `turned`: seen from the second player.
  draw(board, { game, sides, turned, label }) {
    const focused = this.place.contains(document.activeElement);
    this.#board = board;
    this.#from = null;
    this.#turned = turned;
    this.game = game;
    this.sides = sides;
    this.#cells.clear();
    if (!board.cells.length) {
      this.place.replaceChildren();
      return;
    }
    const width = Math.max(...board.cells.map((row) => row.length));
    const named = board.rows.some(Boolean);
    const grid = make("div", {
      role: "grid", "aria-label": label, class: `grid ${board.ground} ${width < 6 ? "small" : ""}`,
      "aria-rowcount": board.cells.length, "aria-colcount": width,
    });
    grid.style.setProperty("--columns", width);
    grid.style.setProperty("--rows", board.cells.length);
    grid.style.setProperty("--left", named ? "minmax(1.2rem, auto)" : "0");
    const rows = [...board.cells.keys()], columns = [...Array(width).keys()];
    if (turned) rows.reverse(), columns.reverse();
    if (board.columns.some(Boolean)) {
      const head = make("div", { role: "presentation", class: "label" });
      grid.append(head, ...columns.map((x) => make("div", { class: "label", "aria-hidden": "true" }, board.columns[x])));
    }
    for (const y of rows) {
      const row = make("div", { role: "row" });
      row.append(make("div", { class: "label", "aria-hidden": "true" }, named ? board.rows[y] : ""));
      for (const x of columns) row.append(this.#cell(y, x));
      grid.append(row);
    }
    this.place.replaceChildren(grid);
    if (!this.#cells.has(this.#here)) this.#here = this.#cells.keys().next().value;
    this.#rove(focused);
    this.#mark();
  }

  #cell(y, x) {
    const board = this.#board, piece = board.cells[y][x];
    if (piece === null || piece === undefined) return make("div", { role: "gridcell", class: "cell" });
    const dark = board.ground === "chequered" && (x + y) % 2 ? " dark" : "";
    const edges = board.ground !== "goban" ? "" : (this.#turned
      ? [["east", x === 0], ["west", x === board.cells[y].length - 1], ["south", y === 0], ["north", y === board.cells.length - 1]]
      : [["west", x === 0], ["east", x === board.cells[y].length - 1], ["north", y === 0], ["south", y === board.cells.length - 1]])
      .filter(([, at]) => at).map(([edge]) => " " + edge).join("");
    const cell = make("button", {
      type: "button", role: "gridcell", class: "cell" + dark + edges, tabindex: "-1", "data-cell": key([y, x]),
      "aria-label": this.#describe(y, x),
    });
    cell.append(make("span", { class: "hit", "aria-hidden": "true" }));
    if (piece) cell.append(this.#piece(piece));
    const among = (list) => list.some(([v, u]) => v === y && u === x);
    if (among(board.line)) cell.classList.add("won");
    else if (among(board.last)) cell.classList.add("last");
    this.#cells.set(key([y, x]), cell);
    return cell;
  }

  #piece(piece) {
    const { owners, glyphs, white } = this.#board;
    const owner = owners[piece], sign = glyphs[piece] || piece;
    const colour = white === null ? "p" + owner : owner === white ? "white" : "black";
    if (owner === undefined) return make("span", { class: "disc p0", "aria-hidden": "true" });
    if ("●○".includes(sign)) return make("span", { class: "disc " + colour, "aria-hidden": "true" });
    if (this.game === "checkers") return make("span", { class: "disc " + colour, "aria-hidden": "true" }, "♛");
    const solid = "♔♕♖♗♘♙".indexOf(sign) >= 0 ? "♚♛♜♝♞♟"["♔♕♖♗♘♙".indexOf(sign)] : sign;
    const man = "♚♛♜♝♞♟".includes(solid);
    return make("span", { class: (man ? "man " : "sign ") + colour, "aria-hidden": "true" }, man ? solid + "\uFE0E" : sign);
  }

  // What a screen reader reads: "e4, white knight".
  #describe(y, x) {
    const { cells, names, owners, columns } = this.#board;
    const piece = cells[y][x], owner = this.sides[owners[piece]];
    const place = this.game === "connect4" ? `column ${columns[x]}, row ${cells.length - y}` : names[y][x] || "dark square";
    if (!piece) return `${place}, empty`;
    if (this.game === "chess") return `${place}, ${owner} ${NAMES[piece.toUpperCase()]}`;
    if (this.game === "checkers") return `${place}, ${owner} ${piece === piece.toUpperCase() ? "king" : "man"}`;
    if (!owner) return `${place}, object`;
    return `${place}, ${owner}`;
  }

  // Mark the cells that can be chosen: where pieces travel those that they reach.
  #mark() {
    const { plain, travel } = this.#board;
    for (const cell of this.#cells.values()) {
      cell.classList.remove("can", "end", "from", "full");
      cell.removeAttribute("aria-selected");
    }
    for (const [cell] of plain) this.#cells.get(key(cell))?.classList.add("can");
    for (const [from, end] of travel) {
      this.#cells.get(key(from))?.classList.add("can");
      if (this.#from !== key(from)) continue;
      this.#cells.get(key(from)).classList.add("from");
      this.#cells.get(key(from)).setAttribute("aria-selected", "true");
      const cell = this.#cells.get(key(end));
      cell.classList.add("end");
      if (this.#board.cells[end[0]][end[1]]) cell.classList.add("full");
    }
  }

  #click(event) {
    const cell = event.target.closest("[data-cell]");
    if (!cell) return;
    this.#here = cell.dataset.cell;
    this.#rove(false);
    this.#choose(cell.dataset.cell);
  }

  #choose(at) {
    const { plain, travel } = this.#board;
    const label = this.#cells.get(at).getAttribute("aria-label");
    const arrive = travel.filter(([from, end]) => key(from) === this.#from && key(end) === at);
    if (arrive.length) {
      this.enter(arrive.flatMap(([, , words]) => words));
      return;
    }
    const place = plain.find(([cell]) => key(cell) === at);
    if (place) {
      this.enter(place[1]);
      return;
    }
    const ends = travel.filter(([from]) => key(from) === at);
    const before = this.#from;
    this.#from = ends.length && before !== at ? at : null;
    this.#mark();
    if (this.#from) {
      const names = ends.map(([, [y, x]]) => this.#board.names[y][x]);
      this.announce(`${label} selected; it can go to ${[...new Set(names)].join(", ")}`);
    } else if (!plain.length && !travel.length) this.announce("");
    else if (before !== at) this.announce(travel.length && !before ? `${label}: no piece that can move` : `${label}: not a legal move`);
  }

  #press(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (event.key === "Escape" && this.#from) {
      this.#from = null;
      this.#mark();
      this.announce("selection cancelled");
    }
    const step = steps[event.key];
    if (!step || !this.#cells.size) return;
    event.preventDefault();
    const sign = this.#turned ? -1 : 1;
    let [y, x] = (event.target.dataset.cell ?? this.#here).split(",").map(Number);
    do {
      y += sign * step[0];
      x += sign * step[1];
      if (y < 0 || x < 0 || y >= this.#board.cells.length || x >= this.#board.cells[y].length) return;
    } while (!this.#cells.has(key([y, x])));
    this.#here = key([y, x]);
    this.#rove(true);
  }

  // One cell is in the tab order: the one that was chosen last.
  #rove(focus) {
    for (const [at, cell] of this.#cells) cell.tabIndex = at === this.#here ? 0 : -1;
    if (focus) this.#cells.get(this.#here).focus();
  }
}
