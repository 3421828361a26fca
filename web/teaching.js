// The teaching parts of the page: replayed search trees, the quiz and lectures.

const $ = (id) => document.getElementById(id);

export class Teaching {
  #number = 0;
  #seed = crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;
  #filled = false;

  constructor(engine) {
    this.engine = engine;
    this.#listen($("trees").querySelector("form"), () => this.#replay());
    this.#listen($("questions"), () => this.#ask());
    this.#listen($("answers"), () => this.#grade());
    this.#listen($("lectures").querySelector("form"), () => this.#compute());
  }

  // Show a part of the page; the lists are filled when one of these parts is first opened.
  async open(part) {
    for (const one of document.querySelectorAll("main")) one.hidden = one.id !== part;
    for (const one of document.querySelectorAll("nav button")) one.setAttribute("aria-pressed", one.dataset.part === part);
    if (part === "play" || this.#filled) return;
    this.#filled = true;
    await this.#work(part, "Loading …", async () => {
      const { trees, lectures } = await this.engine.call("contents");
      this.#fill($("tree"), trees);
      this.#fill($("lecture"), lectures);
    });
  }

  #fill(select, titles) {
    select.replaceChildren(...Object.entries(titles).map(([value, title]) => new Option(title, value)));
  }

  #listen(form, act) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      act();
    });
  }

  // Do what takes a while, with a note meanwhile; a failure is shown in its place.
  async #work(part, note, act) {
    const place = $(part).querySelector(".note"), forms = $(part).querySelectorAll("button");
    place.textContent = note;
    for (const button of forms) button.disabled = true;
    try {
      place.textContent = (await act()) || "";
    } catch (error) {
      place.textContent = error.message;
      if (!$("tree").options.length) this.#filled = false;
    } finally {
      for (const button of forms) button.disabled = false;
    }
  }

  #replay() {
    return this.#work("trees", "Searching …", async () => {
      const page = await this.engine.call("tree", $("tree").value);
      $("replayed").srcdoc = page;
      $("replayed").hidden = false;
    });
  }

  #ask() {
    return this.#work("quiz", "Thinking of a question …", async () => {
      const one = await this.engine.call("ask", this.#seed, Number($("difficulty").value), ++this.#number);
      $("picture").textContent = one.picture;
      $("asks").textContent = one.asks;
      $("form").textContent = `Answer: ${one.hint}`;
      $("answers").hidden = false;
      $("answer").value = "";
      $("answer").focus();
    });
  }

  #grade() {
    return this.#work("quiz", "", async () => {
      const { message, right, answer, explained } = await this.engine.call("grade", $("answer").value);
      if (message) return message;
      return right ? `Right: ${answer}` : `No, it is ${answer}:\n\n${explained}`;
    });
  }

  #compute() {
    return this.#work("lectures", "Computing …", async () => {
      $("lines").textContent = await this.engine.call("lecture", $("lecture").value);
    });
  }
}
