// The worker as the page sees it: `call` runs a function of game_session.py and returns a promise of its value.

export class Engine {
  #worker;
  #waiting = new Map();
  #count = 0;
  #flag = globalThis.crossOriginIsolated ? new SharedArrayBuffer(4) : null;

  constructor(watch) {
    this.watch = watch; // called with each report of a search
  }

  // Start Python, also after `end`.
  load() {
    this.#worker = new Worker("worker.js", { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => this.#fail(event.message || "the worker could not be started");
    return this.#send({ name: "load", shared: this.#flag });
  }

  call(name, ...values) {
    return this.#send({ name, values });
  }

  // Ask the search to stop. False where it cannot be asked: then `end` it.
  stop() {
    if (!this.#flag) return false;
    Atomics.store(new Int32Array(this.#flag), 0, 1);
    return true;
  }

  // End Python in the middle of what it does.
  end() {
    this.#worker.terminate();
    this.#fail("stopped");
  }

  #send(message) {
    const id = ++this.#count;
    this.#worker.postMessage({ id, ...message });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #receive({ id, value, error, report }) {
    if (report) {
      this.watch(report);
      return;
    }
    const { resolve, reject } = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) reject(new Error(error));
    else resolve(value);
  }

  #fail(reason) {
    for (const { reject } of this.#waiting.values()) reject(new Error(reason));
    this.#waiting.clear();
  }
}
