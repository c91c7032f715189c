// The page in German.

const seeds = (count) => `${count} ${count === 1 ? "Bohne" : "Bohnen"}`;

export default {
  title: "Oware-Endspiele",
  skip: "Zum Brett springen",
  sheet: "Regeln",
  language: "Sprache",
  theme: "Hell oder dunkel",
  board: "Das Brett",
  controls: "Spielsteuerung",
  first: "Zum Anfang",
  undo: "Zug zurück",
  redo: "Zug vor",
  last: "Zum Ende",
  edit: "Aufstellen",
  import: "Partie einlesen",
  importHint:
    "Eine Aufzeichnung in OGN einfügen, oder eine Stellung, das Wort „moves“ und die Buchstaben.",
  record: "Aufzeichnung der Partie",
  cancel: "Abbrechen",
  judge: "Beurteilen",
  position: "Stellung",
  show: "Zeigen",
  moves: "Züge",
  line: "Bestes Spiel",
  game: "Die Partie",
  graph: "Wert im Lauf der Partie",
  layer: "Die Schicht",
  keys: "Tasten: A bis F sät eine Mulde, Z nimmt zurück, Y spielt wieder vor, S stellt auf, Pfeile gehen von Mulde zu Mulde.",
  south: "Süd",
  north: "Nord",
  house: (name, count) => `Mulde ${name}, ${seeds(count)}`,
  score: (text) => `Wert ${text}`,
  isBest: "bester Zug, gesichert",
  uncertified: "nicht gesichert",
  captures: (count) => `erntet ${count}`,
  store: (who, count) => `${who} hat ${seeds(count)} geerntet`,
  way: "Gesät wird gegen den Uhrzeigersinn",
  verdictAhead: (who, count) => `Bei bestem Spiel bekommt ${who} noch ${seeds(count)} mehr.`,
  verdictEven: "Bei bestem Spiel bekommen beide gleich viele Bohnen.",
  verdictOpen: (who, low, high) => `Bestes Spiel bringt ${who} zwischen ${low} und ${high}.`,
  reasonOwnSide:
    "Das Spiel kann endlos kreisen, und wo der Kreis endet, entscheidet. Beide Grenzen sind bewiesen.",
  reasonOpen: "Zwei bewiesene Grenzen: Der Wert liegt dazwischen.",
  overVerdict: "Die Partie ist aus.",
  toMove: (who) => `${who} ist am Zug`,
  noTable: (seeds, most) =>
    most === null
      ? "Zu diesen Regeln gibt es hier keine Tabellen."
      : `Keine Tabelle für ${seeds} Bohnen: hier reichen sie bis ${most}. Spielen geht trotzdem.`,
  over: {
    decided: (who) => `${who} hat 25 Bohnen und gewinnt.`,
    no_move: () => "Niemand kann ziehen: Jeder behält seine Reihe.",
  },
  repetition: {
    own_side: (number) =>
      `Die Stellung nach Zug ${number} kam wieder: Die Partie ist aus, jeder behält seine Reihe.`,
    even_split: (number) => `Die Stellung nach Zug ${number} kam wieder: Der Rest wird geteilt.`,
  },
  result: (south, north) => `Süd ${south}, Nord ${north}.`,
  wins: (who) => `${who} gewinnt`,
  draw: "Unentschieden",
  forecast: (south, north) => `Bei bestem Spiel: Süd ${south}, Nord ${north}.`,
  goesOn: "Die Partie läuft.",
  to25: (count) => `${count} bis 25`,
  isHome: "25 erreicht",
  houseHead: "Mulde",
  capturedHead: "Ernte",
  scoreHead: "Wert",
  noMoves: "Es gibt keinen Zug.",
  play: (name) => `${name} säen`,
  star: "★ bester Zug und gesichert: wer so weiterspielt, bekommt mindestens die untere Grenze.",
  asterisk:
    "* nicht gesichert: der Kreis kann sich bei einer früheren Stellung schließen und weniger als die untere Grenze bringen.",
  lineEnds: {
    game_over: () => "Dann ist die Partie aus.",
    cycle: (after) =>
      after === 0 ? "Es geht im Kreis." : `Nach ${after} Zügen geht es im Kreis (gestrichelt).`,
    limit: () => "Und so weiter.",
  },
  noLine: "Hier gibt es keine Zugfolge.",
  step: (number, name) => `Zug ${number}: ${name}`,
  looking: "Du siehst voraus, entlang des besten Spiels.",
  backToGame: "Zurück zur Partie",
  goOn: "Von hier weiterspielen",
  ahead: "Weiter",
  behind: "Zurück",
  setupHint:
    "Klick legt eine Bohne in die Mulde, Umschalt-Klick nimmt eine; oder Zahl, + oder − auf Mulde oder Gewinnmulde tippen.",
  empty: "Leeren",
  initial: "Startstellung",
  turn: "Brett drehen",
  done: "Fertig",
  whoMoves: "Am Zug",
  onBoard: (count, left) =>
    `${seeds(count)} auf dem Brett, ${left} weder in Reihen noch in Gewinnmulden.`,
  tooMany: "Das Spiel hat 48 Bohnen.",
  said: (who, name, taken) => `${who} sät ${name}${taken ? ` und erntet ${taken}` : ""}.`,
  undone: "Zurückgenommen.",
  start: "Anfang",
  ply: (number, name) => `Stellung nach Zug ${number}, ${name}`,
  slip: (least, most, better) =>
    least === most
      ? `verschenkt ${seeds(least)}, besser war ${better}`
      : `verschenkt ${least} bis ${seeds(most)}, besser war ${better}`,
  graphText: (count) =>
    `Bohnen von Süd minus Nord am Ende, bei bestem Spiel, nach jedem von ${count} Zügen`,
  graphAxis: "Süd vorn",
  graphAxisBelow: "Nord vorn",
  graphKey:
    "Linie: das Ende der Partie bei bestem Spiel. Violett: zwischen zwei Grenzen. Gepunktet: schon geerntet. Rauten: verschenkte Bohnen.",
  graphNone: "Die Kurve beginnt, wo die Tabellen beginnen.",
  layerText: (seeds, positions) =>
    `${positions} Stellungen mit ${seeds} Bohnen, nach dem Wert für den Spieler am Zug`,
  layerShares: (wins, draws, losses, open) =>
    `${wins} % gewonnen, ${draws} % unentschieden, ${losses} % verloren${open === "0" ? "" : `, ${open} % offen`} für den, der zieht`,
  layerHere: "diese Stellung",
  layerNone: "Es gibt keine Tabelle zum Auszählen.",
  tables: (list) => `Tabellen: ${list}.`,
  tablesNone: "Dieser Server hat keine Tabellen; `oware build` baut sie.",
  silent: "Der Server antwortet nicht. Läuft er noch?",
  imported: (moves, slips) => `${moves} Züge, ${slips} davon verschenken etwas.`,
  importedIllegal: (move) =>
    `Die Aufzeichnung geht mit ${move} weiter, was dort nicht erlaubt ist.`,
  rulesTitle: {
    abapa: "Abapa (Turnier)",
    "abapa-even": "Abapa, Kreise geteilt",
    awari: "Awari",
    masters: "Masters",
    plain: "Einfach",
    "plain-opposite": "Einfach, gegenüber",
  },
};
