// Elements, made without text that could turn into something else.

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** An element of the page. */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An element of a drawing. */
export function s(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/** What tells an element of a panel from its neighbours. */
const nameOf = (element) =>
  element.getAttribute("aria-label") ?? (element.textContent.trim() || element.value);

/** Puts other children into `root`. What had the keyboard keeps it, or what takes its place. */
export function renew(root, ...children) {
  const held = document.activeElement;
  const among = () => [...root.querySelectorAll("button, input, select, summary")];
  const at = among().indexOf(held);
  const name = at >= 0 ? nameOf(held) : null;
  root.replaceChildren(...children.flat().filter((child) => child !== null));
  if (at < 0) return;
  const now = among();
  const heir = now.find((each) => nameOf(each) === name) ?? now[Math.min(at, now.length - 1)];
  heir?.focus({ preventScroll: true });
}

/** Lets a button be pressed or not. One that may not keeps the keyboard if it has it. */
export function allow(button, may) {
  button.setAttribute("aria-disabled", String(!may));
}

/** The element of the page with this id. */
export function at(id) {
  return document.getElementById(id);
}
