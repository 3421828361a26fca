// Replaces each box that the directive `recording` wrote by a player.
for (const box of document.querySelectorAll(".recording")) {
  const data = JSON.parse(box.firstElementChild.textContent);
  box.textContent = "";
  AsciinemaPlayer.create({ data }, box, { poster: "npt:4", idleTimeLimit: 2, fit: "width" });
}
