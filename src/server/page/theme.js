// Light or dark: as the system has it, until the reader chooses.

function chosen() {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

function put(theme) {
  document.documentElement.dataset.theme = theme;
}

function other() {
  const shown =
    document.documentElement.dataset.theme ??
    (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  return shown === "dark" ? "light" : "dark";
}

/** Puts in what the reader chose at some time, and lets the button choose. */
export function follow(button) {
  if (chosen()) put(chosen());
  button.addEventListener("click", () => {
    put(other());
    try {
      localStorage.setItem("theme", document.documentElement.dataset.theme);
    } catch {
      // A browser that keeps nothing shows it all the same.
    }
  });
}
