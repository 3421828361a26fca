// The live figures of a search: depth, nodes, speed, time, value and line.

const FIELDS = ["depth", "nodes", "rate", "seconds", "value", "line"];

export function clearSearch() {
  for (const id of FIELDS) document.getElementById(id).textContent = "–";
}

export function showSearch({ depth, visits, nodes, seconds, value, line, side }) {
  const figures = {
    depth: depth || (visits ? `${visits.toLocaleString("en")} sims` : "–"),
    nodes: nodes.toLocaleString("en"),
    rate: seconds > 0 ? Math.round(nodes / seconds).toLocaleString("en") : "–",
    seconds: `${seconds.toFixed(1)} s`,
    value: value ? `${value} ${side}` : "–",
    line: line || "–",
  };
  for (const id of FIELDS) document.getElementById(id).textContent = figures[id];
}
