"use strict";
const nodes = JSON.parse(document.getElementById("nodes").textContent);
const byId = (id) => document.getElementById(id);
const items = nodes.map((_, n) => byId("b" + n));
const shapes = nodes.map((_, n) => byId("n" + n));
const folded = new Set();
let chosen = 0;
let zoom = 1;

function hidden(n) {
  for (let up = nodes[n].up; up >= 0; up = nodes[up].up) if (folded.has(up)) return true;
  return false;
}

function choose(n, focus) {
  for (let up = nodes[n].up; up >= 0; up = nodes[up].up) fold(up, false);
  items[chosen].setAttribute("aria-selected", "false");
  items[chosen].tabIndex = -1;
  shapes[chosen].classList.remove("chosen");
  chosen = n;
  items[n].setAttribute("aria-selected", "true");
  items[n].tabIndex = 0;
  shapes[n].classList.add("chosen");
  const path = [];
  for (let up = n; up >= 0; up = nodes[up].up) path.unshift(nodes[up].name);
  byId("name").textContent = path.slice(1).join(" ") || "Start";
  byId("facts").replaceChildren(...nodes[n].facts.map((fact) => {
    const line = document.createElement("p");
    line.textContent = fact;
    return line;
  }));
  byId("board").textContent = nodes[n].board;
  if (focus) items[n].focus();
  items[n].firstElementChild.scrollIntoView({ block: "nearest" });
  picture(n);
  document.documentElement.dataset.shown = n;
}

// Scroll the picture, not the page, to where a node is drawn.
function picture(n) {
  const frame = byId("picture");
  const [shape, edge] = [shapes[n].querySelector(".shape"), frame].map((one) => one.getBoundingClientRect());
  if (shape.left < edge.left || shape.right > edge.right) frame.scrollLeft += shape.left - edge.left - edge.width / 2;
  if (shape.top < edge.top || shape.bottom > edge.bottom) frame.scrollTop += shape.top - edge.top - edge.height / 2;
}

function fold(n, closed) {
  if (!items[n].hasAttribute("aria-expanded")) return;
  items[n].setAttribute("aria-expanded", String(!closed));
  if (closed) folded.add(n);
  else folded.delete(n);
  shapes.forEach((shape, one) => shape.classList.toggle("folded", hidden(one)));
}

function seek(from, way, wanted) {
  for (let n = from + way; n >= 0 && n < nodes.length; n += way) if (wanted(n)) return n;
  return from;
}

const seen = (n) => !hidden(n);
const deeds = {
  first: () => choose(0),
  back: () => choose(seek(chosen, -1, seen)),
  next: () => choose(seek(chosen, 1, seen)),
  cut: () => choose(seek(chosen, 1, (n) => nodes[n].cut)),
  fold: () => fold(chosen, !folded.has(chosen)),
  all: () => [...folded].forEach((n) => fold(n, false)),
  smaller: () => scale(zoom / 1.25),
  larger: () => scale(zoom * 1.25),
};
for (const [id, deed] of Object.entries(deeds)) byId(id).addEventListener("click", deed);

function scale(to) {
  zoom = Math.min(4, Math.max(0.1, to));
  const picture = document.querySelector("svg");
  const box = picture.viewBox.baseVal;
  picture.setAttribute("width", box.width * zoom);
  picture.setAttribute("height", box.height * zoom);
}

const keys = {
  ArrowDown: () => choose(seek(chosen, 1, seen), true),
  ArrowUp: () => choose(seek(chosen, -1, seen), true),
  ArrowRight: () => {
    if (folded.has(chosen)) fold(chosen, false);
    else choose(seek(chosen, 1, (n) => nodes[n].up === chosen), true);
  },
  ArrowLeft: () => {
    if (items[chosen].getAttribute("aria-expanded") === "true") fold(chosen, true);
    else if (nodes[chosen].up >= 0) choose(nodes[chosen].up, true);
  },
  Home: () => choose(0, true),
  End: () => choose(seek(nodes.length, -1, seen), true),
  Enter: () => fold(chosen, !folded.has(chosen)),
  c: () => choose(seek(chosen, 1, (n) => nodes[n].cut), true),
};
document.querySelector("[role=tree]").addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
  keys[event.key]();
  event.preventDefault();
});
items.forEach((item, n) => item.firstElementChild.addEventListener("click", () => choose(n, true)));
shapes.forEach((shape, n) => shape.addEventListener("click", () => choose(n)));

const box = document.querySelector("svg").viewBox.baseVal;
scale(Math.min(1, Math.max(0.7, byId("picture").clientWidth / box.width)));
const asked = new URLSearchParams(location.search).get("node");
choose(asked !== null && nodes[asked] ? Number(asked) : 0);
document.documentElement.dataset.script = "ran";
