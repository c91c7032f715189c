// Keys that mean something wherever no text is being written. None is lost while a move is shown.

export class Keys {
  /** `acts` gives, for the name of a key, what it does; `ready` waits until that can be done,
   * `hurry` makes it sooner. */
  constructor(acts, { ready, hurry }) {
    Object.assign(this, { acts, ready, hurry, queue: [], runs: false });
    document.addEventListener("keydown", (event) => this.press(event));
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, dialog")) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = this.acts(name, event);
    if (!act) return;
    event.preventDefault();
    this.queue.push(act);
    this.hurry();
    this.run();
  }

  async run() {
    if (this.runs) return;
    this.runs = true;
    try {
      while (this.queue.length > 0) {
        await this.ready();
        await this.queue.shift()();
      }
    } finally {
      Object.assign(this, { queue: [], runs: false });
    }
  }
}
