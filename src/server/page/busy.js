// What happens is visible: that the page waits and for how long, and what it has to tell.

import { at } from "./dom.js";
import { texts } from "./texts.js";

/** How long a wait goes without words, and how long a message stays. */
const SOON = 1500;
const STAY = 5000;

let since = null;
let ticking = null;
let fading = null;

function tick() {
  const seconds = Math.floor((performance.now() - since) / 1000);
  at("waiting").textContent = texts.waiting(seconds);
  at("busy").classList.add("long");
}

/** Shows that the page waits for an answer, or does no longer. */
export function wait(busy) {
  document.querySelector("main").setAttribute("aria-busy", String(busy));
  at("busy").classList.toggle("runs", busy);
  if (busy && since !== null) return;
  clearInterval(ticking);
  at("busy").classList.remove("long");
  since = busy ? performance.now() : null;
  if (busy) ticking = setInterval(() => performance.now() - since > SOON && tick(), 500);
}

/** Says how far something long has come; `null` when it is done. */
export function progress(text) {
  at("busy").classList.toggle("runs", text !== null);
  at("busy").classList.toggle("long", text !== null);
  at("waiting").textContent = text ?? "";
}

/** Says something to those who listen to the page. */
export function say(text) {
  at("said").textContent = text;
}

/** Says something to everybody: it stands at the lower edge for a while. */
export function tell(text) {
  say(text);
  at("said").classList.remove("unseen");
  clearTimeout(fading);
  fading = setTimeout(() => at("said").classList.add("unseen"), STAY);
}
