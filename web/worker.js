// Runs Python in a web worker. The messages are described in docs/contributing/browser.md.
import { loadPyodide } from "./pyodide/pyodide.mjs";

let session;
let flag; // shared with the page: 1 stops the search; undefined where memory cannot be shared

async function load(shared) {
  flag = shared && new Int32Array(shared);
  const pyodide = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
  const archive = await (await fetch("gameplay.whl")).arrayBuffer();
  pyodide.unpackArchive(archive, "zip", { extractDir: "/page" });
  for (const name of ["game_session.py", "teaching.py", "msgspec.py"]) {
    pyodide.FS.writeFile(`/page/${name}`, await (await fetch(name)).text());
  }
  const watch = (text) => {
    postMessage({ report: JSON.parse(text) });
    return flag !== undefined && Atomics.load(flag, 0) === 1;
  };
  session = pyodide.runPython(`
import sys
sys.path.insert(0, "/page")
import game_session
game_session.connect
`)(watch);
}

onmessage = async ({ data: { id, name, values, shared } }) => {
  try {
    if (name === "load") {
      await load(shared);
      postMessage({ id, value: null });
      return;
    }
    if (flag) Atomics.store(flag, 0, 0);
    const { value, error } = JSON.parse(session(JSON.stringify([name, values])));
    postMessage({ id, value, error });
  } catch (error) {
    postMessage({ id, error: String(error.message || error) });
  }
};
