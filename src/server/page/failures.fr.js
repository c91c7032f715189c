// What the server says when something fails, in French: each pattern with what to say instead.

const exemple =
  "Écrire douze nombres, d’abord la rangée au trait, comme 0 0 0 0 1 2  1 0 0 0 3 0.";
const aucune = (raison) => `Ce n’est pas une position : ${raison}. ${exemple}`;

export default [
  [/it has (\d+) numbers? instead of 12/, (nombre) => aucune(`${nombre} nombres au lieu de 12`)],
  [/not a position: it is empty/, () => aucune("il n’y a rien")],
  [/`(.*?)` is not a number/, (texte) => aucune(`« ${texte} » n’est pas un nombre`)],
  [/(\d+) seeds on the board; the game has 48/, (nombre) => aucune(`${nombre} graines, le jeu en a 48`)],
  [/seeds in one place; the game has 48/, () => aucune("trop de graines en un endroit, le jeu en a 48")],
  [/negative number of seeds/, () => aucune("aucun trou n’a moins de 0 graine")],
  [/^not a position/, () => aucune("elles ne s’écrivent pas ainsi")],
  [/move (\d+), `(.)`: it is not legal/, (nombre, coup) => `Le coup ${nombre}, ${coup}, n’est pas permis là.`],
  [/move (\d+), `(.)`: houses are/, (nombre, coup) => `Coup ${nombre}, « ${coup} » : les trous vont de A à F.`],
  [/(\S+) is not a legal move/, (coup) => `${coup} n’est pas permis là.`],
  [/a game has at most (\d+) moves/, (nombre) => `Une partie a ici ${nombre} coups au plus.`],
  [/unknown rules `(.*?)`/, (nom) => `Il n’y a pas de règles « ${nom} ».`],
  [/no game/, () => "Il n’y a pas de partie là-dedans."],
  [
    /game (\d+), line (\d+): `(.*?)` is no move/,
    (partie, ligne, coup) =>
      `Partie ${partie}, ligne ${ligne} : « ${coup} » n’est pas un coup ; ceux de Sud vont de A à F, ceux de Nord de a à f.`,
  ],
  [
    /game (\d+), line (\d+): /,
    (partie, ligne) => `Partie ${partie}, ligne ${ligne} : cela ne se lit pas.`,
  ],
  [/records are longer than (\d+) bytes/, (nombre) => `Il y a plus de ${nombre} octets ; en donner moins à la fois.`],
  [/too many connections|under way; try again|too many are waiting/, () => "Le serveur a trop à faire ; réessayer dans un instant."],
  [/took too long|out of time|not answered in time/, () => "Cela a duré trop longtemps ; réessayer dans un instant."],
  [/no (\S+) table for (\d+) seeds/, (regles, nombre) => `Il manque la table de ${nombre} graines (${regles}).`],
  [/damaged|corrupt/, () => "Une table du serveur est abîmée."],
  [/the server failed/, () => "Le serveur a échoué ; son journal dit pourquoi."],
];
