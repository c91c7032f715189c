// The page in English.

const seeds = (count) => `${count} ${count === 1 ? "seed" : "seeds"}`;

export default {
  title: "Oware endgames",
  skip: "Skip to the board",
  sheet: "Rules",
  language: "Language",
  theme: "Light or dark",
  board: "The board",
  controls: "Game controls",
  first: "To the start",
  undo: "Undo",
  redo: "Redo",
  last: "To the end",
  edit: "Set up",
  import: "Import a game",
  importHint: "Paste a record in OGN, or a position, the word “moves” and the letters.",
  record: "Game record",
  cancel: "Cancel",
  judge: "Judge the moves",
  position: "Position",
  show: "Show",
  moves: "Moves",
  line: "Best play",
  game: "The game",
  graph: "Score along the game",
  layer: "The layer",
  keys: "Keys: A to F play a house, Z takes back, Y plays again, S sets up, arrows move between houses.",
  south: "South",
  north: "North",
  house: (name, count) => `House ${name}, ${seeds(count)}`,
  score: (text) => `score ${text}`,
  isBest: "best, certified",
  uncertified: "not certified",
  captures: (count) => `captures ${count}`,
  store: (who, count) => `${who} has captured ${seeds(count)}`,
  way: "Sowing goes anticlockwise",
  verdictAhead: (who, count) => `With best play ${who} gets ${seeds(count)} more.`,
  verdictEven: "With best play both players get the same number of seeds.",
  verdictOpen: (who, low, high) =>
    `With best play the score of ${who} is between ${low} and ${high}.`,
  reasonOwnSide:
    "Play can go round in a cycle for ever, and where the cycle is cut decides. Both ends are proved.",
  reasonOpen: "Both ends are proved: the score lies between them.",
  overVerdict: "The game is over.",
  toMove: (who) => `${who} to move`,
  noTable: (seeds, most) =>
    most === null
      ? "There are no tables of these rules here."
      : `No table for ${seeds} seeds: here they go up to ${most}. You can play all the same.`,
  over: {
    decided: (who) => `${who} has 25 seeds and wins.`,
    no_move: () => "Nobody can move: each keeps their own row.",
  },
  repetition: {
    own_side: (number) =>
      `The position after move ${number} came back: the game is over, each keeps their own row.`,
    even_split: (number) => `The position after move ${number} came back: what is left is halved.`,
  },
  result: (south, north) => `South ${south}, North ${north}.`,
  wins: (who) => `${who} wins`,
  draw: "A draw",
  forecast: (south, north) => `With best play: South ${south}, North ${north}.`,
  goesOn: "The game goes on.",
  to25: (count) => `${count} to 25`,
  isHome: "25 reached",
  houseHead: "House",
  capturedHead: "Takes",
  scoreHead: "Score",
  noMoves: "There is no move.",
  play: (name) => `Play ${name}`,
  star: "★ best and certified: playing on like this secures the lower end.",
  asterisk:
    "* not certified: the cycle may close on an earlier position and bring less than the lower end.",
  lineEnds: {
    game_over: () => "Then the game is over.",
    cycle: (after) =>
      after === 0
        ? "Play goes round in a cycle."
        : `After ${after} moves play goes round in a cycle (dashed).`,
    limit: () => "And so on.",
  },
  noLine: "There is no line of best play here.",
  step: (number, name) => `Move ${number}: ${name}`,
  looking: "You are looking ahead, along best play.",
  backToGame: "Back to the game",
  goOn: "Go on from here",
  ahead: "Next",
  behind: "Back",
  setupHint:
    "Click a house to add a seed, shift-click to take one; or type a number, + or −, on a house or store.",
  empty: "Empty",
  initial: "Start of the game",
  turn: "Turn round",
  done: "Done",
  whoMoves: "To move",
  onBoard: (count, left) =>
    `${seeds(count)} on the board, ${left} in neither a row nor a store.`,
  tooMany: "The game has 48 seeds.",
  said: (who, name, taken) => `${who} plays ${name}${taken ? ` and captures ${taken}` : ""}.`,
  undone: "Taken back.",
  start: "Start",
  ply: (number, name) => `Position after move ${number}, ${name}`,
  slip: (least, most, better) =>
    least === most
      ? `gives away ${seeds(least)}, better was ${better}`
      : `gives away ${least} to ${seeds(most)}, better was ${better}`,
  graphText: (count) =>
    `South's seeds minus North's at the end of the game, with best play, after each of ${count} moves`,
  graphAxis: "South ahead",
  graphAxisBelow: "North ahead",
  graphKey:
    "Line: the end of the game with best play. Violet: between two ends. Dotted: captured so far. Diamonds: seeds given away.",
  graphNone: "The graph begins where the tables do.",
  layerText: (seeds, positions) =>
    `${positions} positions with ${seeds} seeds, by the score of the player to move`,
  layerShares: (wins, draws, losses, open) =>
    `${wins} % won, ${draws} % drawn, ${losses} % lost${open === "0" ? "" : `, ${open} % open`} for the player to move`,
  layerHere: "this position",
  layerNone: "There is no table of this layer.",
  tables: (list) => `Tables: ${list}.`,
  tablesNone: "This server has no tables; `oware build` makes them.",
  silent: "The server does not answer. Is it still running?",
  imported: (moves, slips) => `${moves} moves, ${slips} of them give something away.`,
  importedIllegal: (move) => `The record goes on with ${move}, which is not legal there.`,
  rulesTitle: {
    abapa: "Abapa (tournament)",
    "abapa-even": "Abapa, cycles halved",
    awari: "Awari",
    masters: "Masters",
    plain: "Plain",
    "plain-opposite": "Plain, opposite",
  },
};
