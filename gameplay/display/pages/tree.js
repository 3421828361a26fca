// Replays a search on the picture of its tree. The data and its names: tree_page.py.
const { nodes, steps, looks, windows } = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const picture = document.querySelector("#picture svg");
const shapes = nodes.map((_, n) => byId("n" + n));
const edges = nodes.map((_, n) => byId("ne" + n));
const items = [...document.querySelectorAll("[data-node]")];
const name = (n) => nodes[n].path.join(" › ") || "root";
let at = 0; // the step that is shown
let mode = "watch";
let timer = 0;
let zoom = 1;

// -- what is known after a step ------------------------------------------------------------------------

function known(step) {
  const marks = nodes.map(() => ({}));
  const pruned = new Set(), cuts = new Set();
  for (const one of steps.slice(0, step + 1)) {
    for (const [n, mark] of one.marks) Object.assign(marks[n], mark);
    for (const n of one.pruned) pruned.add(n);
    if (one.kind === "cut") cuts.add(one.at);
    for (let n = one.at; n >= 0; n = nodes[n].up) marks[n].state ||= "open";
  }
  return { marks, pruned, cuts };
}

function lineage(n) {
  const line = [];
  for (; n >= 0; n = nodes[n].up) line.unshift(n);
  return line;
}

// -- drawing -------------------------------------------------------------------------------------------

// Texts that change stand beside those of the whole tree, which are for paper.
const texts = shapes.map((shape) => {
  const found = { value: [], window: null };
  for (const text of shape.querySelectorAll(".value, .window:not(.below)")) {
    const now = text.cloneNode(false);
    now.classList.add("now");
    text.classList.add("final");
    text.after(now);
    if (text.classList.contains("window")) found.window = now;
    else found.value.push(now);
  }
  return found;
});
// The root's window, and those of searches that begin without one, have no place yet.
shapes.forEach((shape, n) => {
  const box = shape.querySelector(".shape").getBBox();
  const inner = nodes.some((node) => node.up === n);
  const place = (looks, y) => add(shape, "text", { class: looks + " beside now", x: box.x + box.width + 3, y });
  if (!inner) return;
  const lines = shape.querySelectorAll(".who, .value.final").length;
  if (!texts[n].window) texts[n].window = place("window", box.y + 6 - 12 * Math.max(0, lines - 1));
  if (!texts[n].value.length) texts[n].value = [place("value", box.y + 19)];
});
const ring = add(picture, "circle", { class: "ring", r: 17 });
shapes[0].before(ring);

function drawTree({ marks, pruned, cuts }, line, asked) {
  nodes.forEach((node, n) => {
    const mark = marks[n], cut = pruned.has(n), later = !mark.state && !cut;
    const path = line.includes(n);
    const undecided = ["proved", "disproved"].some((look) => shapes[n].classList.contains(look) && mark.look !== look);
    const looks = { later, onpath: path, ended: cuts.has(n), undecided };
    for (const key in looks) shapes[n].classList.toggle(key, looks[key]);
    if (edges[n]) {
      const best = node.up >= 0 && marks[node.up].best === n;
      for (const [key, on] of [["later", later], ["onpath", path], ["best", best]]) edges[n].classList.toggle(key, on);
      const bar = edges[n].nextElementSibling;
      if (bar && bar.classList.contains("bar")) bar.classList.toggle("later", !cut);
    }
    const values = (mark.value || "").split("\n");
    texts[n].value.forEach((text, i) => { text.textContent = values[i] || ""; });
    const inside = mark.alpha !== undefined && texts[n].window;
    if (inside) texts[n].window.textContent = n === asked ? "[?, ?]" : `[${mark.alpha}, ${mark.beta}]`;
    else if (texts[n].window) texts[n].window.textContent = "";
    const words = later ? `${node.word}: not reached yet` : cut ? `${node.word}: not searched`
      : `${node.word}: ${node.role}${mark.value ? ", value " + mark.value.replace("\n", ", ") : ""}`;
    shapes[n].querySelector("title").textContent = words;
    items[n].lastElementChild.textContent = words;
    items[n].toggleAttribute("aria-current", n === line[line.length - 1]);
  });
  const box = shapes[line[line.length - 1]].querySelector(".shape").getBBox();
  ring.setAttribute("cx", box.x + box.width / 2);
  ring.setAttribute("cy", box.y + box.height / 2);
}

function cell(row, tag, text, looks) {
  const one = document.createElement(tag);
  one.textContent = text;
  if (tag === "th") one.scope = "row";
  if (looks) one.className = looks;
  row.append(one);
}

function drawPath({ marks }, line, asked) {
  const before = at > 0 ? known(at - 1).marks : marks;
  byId("path").tBodies[0].replaceChildren(...line.map((n, ply) => {
    const row = document.createElement("tr");
    const mark = marks[n];
    if (ply === line.length - 1) row.className = "here";
    cell(row, "th", nodes[n].up < 0 ? "root" : nodes[n].word);
    cell(row, "td", nodes[n].role);
    if (windows) for (const end of ["alpha", "beta"]) {
      const moved = before[n][end] !== undefined && before[n][end] !== mark[end];
      cell(row, "td", n === asked ? "?" : (mark[end] ?? "") + (moved ? " *" : ""), n !== asked && moved ? "moved" : "");
    }
    cell(row, "td", mark.value ? mark.value.replace("\n", ", ") : "");
    return row;
  }));
  const { why_alpha, why_beta } = marks[line[line.length - 1]];
  byId("why").textContent = line[line.length - 1] === asked ? "" : reasons(why_alpha, why_beta);
}

const reasons = (alpha, beta) => [alpha && "α: " + alpha, beta && "β: " + beta].filter(Boolean).join("\n");

function drawPosition(n) {
  const board = nodes[n].board;
  byId("position").hidden = !board;
  if (!board) return;
  const text = document.createElement("pre");
  if (board.cells) byId("board").replaceChildren(drawBoard(looks, board, "Position after " + name(n)));
  else {
    text.textContent = board;
    byId("board").replaceChildren(text);
  }
}

const LOGGED = 200; // steps in the log, at most

function drawLog(asked) {
  const from = Math.max(0, at + 1 - LOGGED);
  byId("log").replaceChildren(...steps.slice(from, at + 1).map((step, i) => {
    const line = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.textContent = `${from + i + 1}. ${from + i === at && asked >= 0 ? step.brief : step.text.split("\n")[0]}`;
    button.addEventListener("click", () => mode === "watch" && go(from + i));
    if (from + i === at) button.setAttribute("aria-current", "step");
    line.append(button);
    return line;
  }));
}

const code = [...document.querySelectorAll("#code li")];

function drawCode(line) {
  code.forEach((one, n) => {
    if (n === line) one.setAttribute("aria-current", "true");
    else one.removeAttribute("aria-current");
  });
}

function follow(n) {
  const frame = byId("picture");
  const shape = shapes[n].querySelector(".shape").getBoundingClientRect(), edge = frame.getBoundingClientRect();
  const margin = 60 * zoom;
  if (shape.left < edge.left + margin || shape.right > edge.right - margin) frame.scrollLeft += shape.left - edge.left - edge.width / 2;
  if (shape.top < edge.top + margin / 2 || shape.bottom > edge.bottom - margin) frame.scrollTop += shape.top - edge.top - edge.height / 2;
}

function render() {
  const step = steps[at], line = lineage(step.at), state = known(at);
  const asked = asking() ? step.at : -1;
  drawTree(state, line, asked);
  drawPath(state, line, asked);
  drawPosition(step.at);
  drawLog(asked);
  drawCode(step.code);
  byId("count").textContent = `Step ${at + 1} of ${steps.length}`;
  byId("said").textContent = asked >= 0 ? step.brief : step.text;
  byId("slider").value = at;
  byId("slider").setAttribute("aria-valuetext", byId("said").textContent);
  byId("back").disabled = byId("first").disabled = at === 0;
  byId("next").disabled = byId("last").disabled = at === steps.length - 1;
  byId("cut").disabled = cutAfter(at) < 0;
  if (mode === "windows") drawQuestion(asked >= 0);
  drawScore();
  byId("log").scrollTop = byId("log").scrollHeight; // when all above it has its height
  follow(step.at);
  document.documentElement.dataset.step = at;
}

// -- steps ---------------------------------------------------------------------------------------------

function go(step) {
  at = Math.min(steps.length - 1, Math.max(0, step));
  if (at === steps.length - 1) play(false);
  render();
}

const cutAfter = (step) => steps.findIndex((one, n) => n > step && (one.kind === "cut" || one.pruned.length > 0));

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => go(at + 1), Number(byId("speed").value)) : 0;
  byId("play").setAttribute("aria-pressed", String(on));
  byId("play").textContent = on ? "❚❚" : "▶";
}

function next() {
  if (mode === "cuts") return stepWithoutCut();
  if (mode === "windows" && asking()) return;
  if (at < steps.length - 1) go(at + 1);
}

const free = (deed) => () => { if (mode === "watch") { play(false); deed(); } };
const deeds = {
  first: free(() => go(0)),
  back: free(() => go(at - 1)),
  next: () => { play(false); next(); },
  cut: free(() => cutAfter(at) >= 0 && go(cutAfter(at))),
  last: free(() => go(steps.length - 1)),
  play: () => {
    if (mode !== "watch") return;
    if (!timer && at === steps.length - 1) go(0);
    play(!timer);
  },
  smaller: () => scale(zoom / 1.25),
  larger: () => scale(zoom * 1.25),
  fit: () => fit(0.1),
};
for (const id in deeds) byId(id).addEventListener("click", deeds[id]);
byId("slider").addEventListener("input", () => { play(false); go(Number(byId("slider").value)); });
byId("speed").addEventListener("change", () => timer && play(true));

const keys = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", " ": "play", c: "cut" };
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !(key in keys)) return;
  if (target.matches("input, select") || (key === " " && target.matches("button, summary"))) return;
  deeds[keys[key]]();
  event.preventDefault();
});

// A node that is clicked: where the search is there first; in an exercise, the answer.
function click(n) {
  if (mode === "cuts") return answerCut(n);
  const found = steps.findIndex((step) => step.at === n || step.pruned.includes(n));
  if (mode === "watch" && found >= 0) free(() => go(found))();
}
shapes.forEach((shape, n) => {
  shape.addEventListener("click", () => click(n));
  if (edges[n]) edges[n].addEventListener("click", () => click(n));
});
items.forEach((item, n) => item.addEventListener("click", () => click(n)));

function scale(to) {
  zoom = Math.min(4, Math.max(0.1, to));
  const box = picture.viewBox.baseVal;
  picture.setAttribute("width", box.width * zoom);
  picture.setAttribute("height", box.height * zoom);
}

// Fit the picture into its frame, but not below `least`: there it scrolls.
function fit(least) {
  const box = picture.viewBox.baseVal, frame = byId("picture");
  const high = parseFloat(getComputedStyle(frame).maxHeight) || frame.clientHeight;
  scale(Math.max(least, Math.min(frame.clientWidth / box.width, high / box.height, 1.8)));
}

// -- exercises -----------------------------------------------------------------------------------------

let score = {};

function mark(right, text) {
  byId("feedback").className = right ? "right" : "wrong";
  byId("feedback").textContent = (right ? "✓ Right. " : "✗ ") + text;
  drawScore();
  byId("log").scrollTop = byId("log").scrollHeight; // there is less room for it now
}

function setMode(to) {
  mode = to;
  play(false);
  score = { right: 0, wrong: 0, missed: 0, asked: 0 };
  answered.clear();
  tried.clear();
  for (const id of ["first", "back", "play", "cut", "last", "slider", "pace"]) byId(id).hidden = to !== "watch";
  byId("task").hidden = to === "watch";
  byId("answer").hidden = to !== "windows";
  byId("feedback").textContent = "";
  byId("question").textContent = {
    watch: "",
    cuts: "Does the search prune a branch now? Then click the branch; else press Step.",
    windows: "",
  }[to];
  clearMarks();
  go(0);
}

const clearMarks = () => shapes.forEach((shape) => shape.classList.remove("right", "wrong"));

function drawScore() {
  const { right, wrong, missed, asked } = score, over = at === steps.length - 1 ? "Finished: " : "";
  byId("score").textContent = {
    watch: "",
    cuts: `${over}cuts found: ${right}, missed: ${missed}; wrong clicks: ${wrong}.`,
    windows: `${over}windows right at the first try: ${right} of ${asked}.`,
  }[mode];
  byId("again").hidden = !over;
}

const pruning = (step) => step !== undefined && step.kind === "cut" && step.pruned.length > 0;

function stepWithoutCut() {
  const after = steps[at + 1];
  if (!after) return;
  byId("feedback").textContent = "";
  clearMarks();
  if (pruning(after)) {
    score.missed += 1;
    mark(false, "Missed: a branch is pruned here. " + after.text);
  }
  go(at + 1);
}

function answerCut(n) {
  const after = steps[at + 1], { marks, pruned } = known(at), here = steps[at].at;
  if (!after) return;
  clearMarks();
  if (pruning(after) && after.pruned.includes(n)) {
    score.right += 1;
    shapes[n].classList.add("right");
    go(at + 1);
    mark(true, after.text);
  } else {
    const { alpha, beta } = marks[here];
    const window = windows && alpha !== undefined ? ` (α is ${alpha}, β is ${beta})` : "";
    const why = pruned.has(n) ? "that branch is pruned already"
      : marks[n].state ? "that branch is searched already"
      : pruning(after) ? `the branch that is pruned now is another one: compare α and β at ${name(here)}${window}`
      : `no branch is pruned now: at ${name(here)} the window is still open${window}`;
    score.wrong += 1;
    shapes[n].classList.add("wrong");
    mark(false, `No, ${why}.`);
  }
}

const answered = new Set(); // steps whose window has been filled in
const tried = new Set();
const asking = () => mode === "windows" && steps[at].brief !== "" && !answered.has(at);

function drawQuestion(open) {
  byId("answer").hidden = !open;
  byId("next").disabled = open || at === steps.length - 1;
  byId("question").textContent = open
    ? `What are α and β at ${name(steps[at].at)} now, as MAX sees them? (-∞: write -inf)`
    : at === steps.length - 1 ? "" : "Press Step.";
  if (open) byId("alpha").value = byId("beta").value = "";
  if (open) byId("feedback").textContent = "";
}

// Numbers are equal as numbers, other texts (a win in 3) as texts.
function same(given, wanted) {
  const [one, other] = [given, wanted].map((text) => text.trim().toLowerCase()
    .replace("−", "-").replace(/∞|infinity|oo/, "inf").replace(/^\+/, "").replace(/\s+/g, " "));
  return one === other || (one !== "" && Number(one) === Number(other));
}

function answerWindow(shown) {
  const { alpha, beta, why_alpha, why_beta } = known(at).marks[steps[at].at];
  const wrong = [["α", "alpha", alpha], ["β", "beta", beta]].filter(([, id, end]) => !same(byId(id).value, end));
  if (!tried.has(at)) {
    tried.add(at);
    score.asked += 1;
    score.right += !shown && !wrong.length;
  }
  if (!shown && wrong.length) {
    const rules = {
      α: "α is the most that MAX has for sure at a node on this path: values at MAX nodes raise it",
      β: "β is the least to which MIN can hold MAX at a node on this path: values at MIN nodes lower it",
    };
    mark(false, wrong.map(([end]) => `${end} is not right: ${rules[end]}.`).join(" "));
    byId(wrong[0][1]).focus();
  } else {
    answered.add(at);
    render();
    const text = `α is ${alpha}, β is ${beta}. ${reasons(why_alpha, why_beta)}`;
    mark(!shown, text);
    byId("next").focus();
  }
}
byId("answer").addEventListener("submit", (event) => { event.preventDefault(); answerWindow(false); });
byId("again").addEventListener("click", () => setMode(mode));
byId("show").addEventListener("click", () => answerWindow(true));
for (const choice of document.querySelectorAll("[name=mode]")) choice.addEventListener("change", () => setMode(choice.value));

// A picture that is too wide for paper is printed with the list, which the page opens for that.
const opened = byId("branches").open;
addEventListener("beforeprint", () => { byId("branches").open ||= picture.viewBox.baseVal.width > 1500; });
addEventListener("afterprint", () => { byId("branches").open = opened; });

// -- the beginning -------------------------------------------------------------------------------------

document.documentElement.dataset.script = "ran";
fit(0.9);
go(Number(new URLSearchParams(location.search).get("step") || 1) - 1 || 0);
