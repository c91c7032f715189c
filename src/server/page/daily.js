// Which puzzle has its turn: by the date alone, so that it is the same for everyone.

const DAY = 86400000;

/** The number of a day on the reader's calendar: days since the first of January 1970. */
export const dayOf = (date) =>
  Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY;

/** Which of `count` puzzles is that of a day: each comes once, and then all again. */
export const numberOf = (day, count) => day % count;

/** The next puzzle after a number that is so hard; any is that hard if `difficulty` is null. */
export function nextOf(all, number, difficulty) {
  const order = all.map((_, step) => (number + 1 + step) % all.length);
  return order.find((each) => difficulty === null || all[each].difficulty === difficulty) ?? number;
}
