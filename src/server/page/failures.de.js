// What the server says when something fails, in German: each pattern with what to say instead.

const beispiel = "Zwölf Zahlen schreiben, zuerst die Reihe am Zug, wie in 0 0 0 0 1 2  1 0 0 0 3 0.";
const keine = (grund) => `Keine Stellung: ${grund}. ${beispiel}`;

export default [
  [/it has (\d+) numbers? instead of 12/, (zahl) => keine(`${zahl} Zahlen statt 12`)],
  [/not a position: it is empty/, () => keine("da steht nichts")],
  [/`(.*?)` is not a number/, (text) => keine(`„${text}“ ist keine Zahl`)],
  [/(\d+) seeds on the board; the game has 48/, (zahl) => keine(`${zahl} Bohnen, das Spiel hat 48`)],
  [/seeds in one place; the game has 48/, () => keine("zu viele Bohnen an einer Stelle")],
  [/negative number of seeds/, () => keine("keine Mulde hat weniger als 0 Bohnen")],
  [/^not a position/, () => keine("so schreibt man keine")],
  [/move (\d+), `(.)`: it is not legal/, (zahl, zug) => `Zug ${zahl}, ${zug}, ist dort nicht erlaubt.`],
  [/move (\d+), `(.)`: houses are/, (zahl, zug) => `Zug ${zahl}, „${zug}“: Mulden heißen A bis F.`],
  [/(\S+) is not a legal move/, (zug) => `${zug} ist dort nicht erlaubt.`],
  [/a game has at most (\d+) moves/, (zahl) => `Eine Partie hat hier höchstens ${zahl} Züge.`],
  [/unknown rules `(.*?)`/, (name) => `Die Regeln „${name}“ gibt es nicht.`],
  [/no game/, () => "Darin steht keine Partie."],
  [
    /game (\d+), line (\d+): `(.*?)` is no move/,
    (partie, zeile, zug) =>
      `Partie ${partie}, Zeile ${zeile}: „${zug}“ ist kein Zug; die von Süd heißen A bis F, die von Nord a bis f.`,
  ],
  [
    /game (\d+), line (\d+): /,
    (partie, zeile) => `Partie ${partie}, Zeile ${zeile}: Das lässt sich nicht lesen.`,
  ],
  [/records are longer than (\d+) bytes/, (zahl) => `Das sind mehr als ${zahl} Bytes; weniger auf einmal.`],
  [/too many connections|under way; try again|too many are waiting/, () => "Der Server hat zu viel zu tun; gleich noch einmal versuchen."],
  [/took too long|out of time|not answered in time/, () => "Das hat zu lange gedauert; gleich noch einmal versuchen."],
  [/no (\S+) table for (\d+) seeds/, (regeln, zahl) => `Es fehlt die Tabelle für ${zahl} Bohnen (${regeln}).`],
  [/damaged|corrupt/, () => "Eine Tabelle ist beschädigt."],
  [/the server failed/, () => "Der Server ist gescheitert; sein Protokoll sagt, woran."],
];
