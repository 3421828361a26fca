// The page of a game: sets it up, passes moves and commands to the engine, and shows what comes back.
import { BoardView } from "./board.js";
import { Engine } from "./engine.js";
import { clearSearch, showSearch } from "./search.js";
import { Teaching } from "./teaching.js";
import { isolate } from "./offline.js";

const $ = (id) => document.getElementById(id);
const engine = new Engine(showReport);
const board = new BoardView($("board"), { enter: choose, announce });
const teaching = new Teaching(engine);
let state = null, busy = true, best = null, settings = null;

function announce(text) {
  $("message").textContent = text;
}

function showReport(report) {
  best = report.move || best;
  showSearch(report);
}

function option(value, text) {
  const one = document.createElement("option");
  one.value = value;
  one.textContent = text;
  return one;
}

function button(text, act) {
  const one = document.createElement("button");
  one.type = "button";
  one.textContent = text;
  one.addEventListener("click", act);
  return one;
}

// Begin a game of another kind, with its levels and sides to choose from.
async function changeGame() {
  const found = await wait(() => engine.call("about", $("game").value));
  if (!found) return;
  const { levels, sides } = found;
  $("level").replaceChildren(...Array.from({ length: levels }, (_, at) => option(at + 1, `${at + 1} of ${levels}`)));
  $("level").value = Math.min(2, levels);
  $("seat").replaceChildren(...sides.map((side, seat) => option(seat, seat || side === "first" ? side : `${side} (first)`)));
  await newGame();
}

function setBusy(value, thinking = false) {
  busy = value;
  $("table").classList.toggle("thinking", thinking);
  $("stop").disabled = !thinking;
  for (const id of ["hint", "undo", "rules", "copy", "text", "enter", "new", "game", "level", "seat"]) $(id).disabled = value;
}

function describe() {
  if (state.over) return state.result;
  if (state.mine) return `Your turn (${state.side})`;
  return state.turn === "chance" ? "Cards are dealt" : `${state.turn} is thinking`;
}

function tray(place, things, notes) {
  place.replaceChildren(...things.map(({ name, things: cards }) => {
    const one = document.createElement("span");
    one.append(`${name} `, ...cards.map((card) => {
      const drawn = document.createElement("span");
      drawn.className = "card";
      drawn.textContent = state.board.glyphs[card] || card || "–";
      return drawn;
    }));
    return one;
  }), ...notes);
}

function show(next) {
  state = next;
  $("status").textContent = describe();
  $("status").classList.toggle("over", state.over);
  announce(state.message);
  const { game, sides } = state;
  const title = $("game").selectedOptions[0].textContent;
  if (state.board) {
    const turned = state.side === sides[1] && ["chess", "checkers"].includes(game);
    board.draw(state.board, { game: game.split(":")[0], sides, turned, label: `${title} board` });
    const notes = state.board.notes.flatMap((note, at) => (note ? [`${sides[at]}: ${note}`] : [])).join(" · ");
    tray($("above"), state.board.trays, [notes, ...state.board.facts].filter(Boolean));
  } else {
    const text = document.createElement("pre");
    text.textContent = state.text;
    $("board").replaceChildren(text);
    tray($("above"), [], []);
  }
  offer(unplaced());
  $("moves").replaceChildren(...state.moves.map((word, at) => {
    const one = document.createElement("li");
    one.textContent = `${at + 1}. ${word}`;
    one.title = state.movers[at];
    return one;
  }));
  $("moves").scrollTop = $("moves").scrollHeight;
}

// The moves that no cell stands for: a pass, bets, branches of a tree.
function unplaced() {
  if (!state.board) return state.legal;
  const placed = new Set([...state.board.plain.flatMap(([, words]) => words), ...state.board.travel.flatMap(([, , words]) => words)]);
  return state.legal.filter((word) => !placed.has(word));
}

function offer(words) {
  $("choices").replaceChildren(...words.map((word) => button(word, () => enter(word))));
}

function choose(words) {
  if (busy) return;
  if (words.length === 1) enter(words[0]);
  else {
    announce("which move?");
    offer(words);
    $("choices").firstChild.focus();
  }
}

// Wait for the engine; what goes wrong is shown, and the page stays usable.
async function wait(work, thinking) {
  setBusy(true, thinking);
  try {
    return await work();
  } catch (error) {
    if (error.message !== "stopped") announce(error.message);
    return null;
  } finally {
    setBusy(false);
  }
}

async function enter(line) {
  if (busy || !line.trim()) return;
  const searching = /^(hint|eval|why|h)\b/i.test(line.trim());
  if (searching) begin();
  const next = await wait(() => engine.call("enter", line), searching);
  if (!next) return;
  const moved = next.moves.join(" ") !== state.moves.join(" ");
  show(next);
  if (moved && !next.mine && !next.over) await reply();
}

function begin() {
  best = null;
  clearSearch();
}

async function reply() {
  begin();
  const { message } = state;
  $("status").textContent = describe();
  const next = await wait(() => engine.call("reply"), true);
  if (next) show(message ? { ...next, message } : next);
}

async function newGame() {
  settings = [$("game").value, Number($("level").value), Number($("seat").value), crypto.getRandomValues(new Uint32Array(1))[0]];
  clearSearch();
  const next = await wait(() => engine.call("start", ...settings, []));
  if (!next) return;
  show(next);
  if (!next.mine && !next.over) await reply();
}

// Stop the search. Without shared memory Python cannot be asked: it starts anew, and plays the best move so far.
async function stop() {
  if (engine.stop()) return;
  const { moves, mine } = state;
  const move = best;
  engine.end();
  $("loading").textContent = "Starting Python again …";
  $("loading").hidden = false;
  await wait(async () => {
    await engine.load();
    $("loading").hidden = true;
    show(await engine.call("start", ...settings, moves));
    if (!mine && move) show(await engine.call("play", move));
  });
  if (!state.mine && !state.over) await reply();
}

async function copy() {
  try {
    await navigator.clipboard.writeText(state.position);
    announce(`copied: ${state.position}`);
  } catch {
    announce(`copy this: ${state.position}`);
  }
}

async function load() {
  await isolate();
  try {
    await engine.load();
    const games = await engine.call("games");
    $("game").replaceChildren(...games.map(({ spec, title }) => option(spec, title)));
  } catch (error) {
    $("loading").textContent = `Python could not be started: ${error.message}. Reload the page to try again.`;
    return;
  }
  $("loading").hidden = true;
  await changeGame();
}

$("game").addEventListener("change", changeGame);
$("setup").addEventListener("submit", (event) => (event.preventDefault(), newGame()));
$("entry").addEventListener("submit", (event) => {
  event.preventDefault();
  enter($("text").value);
  $("text").value = "";
});
$("stop").addEventListener("click", stop);
for (const id of ["hint", "undo", "rules"]) $(id).addEventListener("click", () => enter(id));
$("copy").addEventListener("click", copy);
for (const one of document.querySelectorAll("nav button")) one.addEventListener("click", () => teaching.open(one.dataset.part));
load();
