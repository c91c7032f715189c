// What the page says, in the language that is chosen.

import de from "./de.js";
import en from "./en.js";
import french from "./failures.fr.js";
import german from "./failures.de.js";
import fr from "./fr.js";

const languages = { de, en, fr };
/** What the server says, which is English, in other languages. */
const failures = { de: german, en: [], fr: french };
let spoken = "en";

/** The texts; `choose` puts others in. */
export let texts = en;

/** The language that the reader wants, as far as there is one. */
export function preferred() {
  const wanted = [remembered(), ...navigator.languages].map((tag) => tag?.slice(0, 2));
  return wanted.find((tag) => tag in languages) ?? "en";
}

function remembered() {
  try {
    return localStorage.getItem("language");
  } catch {
    return null;
  }
}

/** Puts a language in, wherever the page says something by itself. */
export function choose(language) {
  texts = languages[language];
  spoken = language;
  document.documentElement.lang = language;
  document.title = texts.title;
  for (const element of document.querySelectorAll("[data-text]"))
    element.textContent = texts[element.dataset.text];
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", texts[element.dataset.label]);
    if (element instanceof HTMLButtonElement) element.title = texts[element.dataset.label];
  }
}

/** What is the matter, in the language of the page. */
export function explain(failure) {
  if (failure.kind === "slow") return texts.slow(failure.message);
  if (failure.kind === "silent" || !failure.kind) return texts.silent;
  for (const [pattern, words] of failures[spoken]) {
    const found = failure.message.match(pattern);
    if (found) return words(...found.slice(1));
  }
  return texts.serverSays(failure.message);
}

/** Remembers the language for the next visit. */
export function remember(language) {
  try {
    localStorage.setItem("language", language);
  } catch {
    // A browser that keeps nothing asks again.
  }
}
