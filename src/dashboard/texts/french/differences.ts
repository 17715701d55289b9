import type { Texts } from '../english.ts';

/** The texts of the pages of differences in French. */
export const differences: Texts['differences'] = {
  title: 'Écarts',
  back: 'Écarts',
  text: 'Un prestataire signale autre chose que ce que Paygraph a noté. Comparez les deux côtés, puis reprenez ou écartez le signalement.',
  filter: 'État des écarts',
  filters: { open: 'Ouverts', adopted: 'Repris', dismissed: 'Écartés', resolved: 'Résolus', all: 'Tous' },
  state: { OPEN: 'Ouvert', ADOPTED: 'Repris', DISMISSED: 'Écarté', RESOLVED: 'Résolu' },
  field: { source: 'Trouvé par', kind: 'Opération', service: 'Service de paiement', age: 'Connu' },
  any: {
    source: 'Tout signalement',
    kind: 'Toutes les opérations',
    service: 'Tous les services',
    age: 'Toujours',
  },
  age: {
    fresh: 'Depuis moins d’un jour',
    day: 'Depuis plus d’un jour',
    week: 'Depuis plus de 7 jours',
    month: 'Depuis plus de 30 jours',
  },
  source: { NOTICE: 'Webhook', LOOK_UP: 'Comparaison', SETTLEMENT: 'Règlement' },
  column: {
    finding: 'Écart',
    state: 'État',
    provider: 'Le prestataire dit',
    ledger: 'Paygraph a',
    payment: 'Paiement',
    since: 'Connu',
  },
  none: 'Rien de tel',
  notTold: 'Non indiqué',
  unknown: 'Ne la connaît pas',
  finding: {
    CONTRADICTS: { short: 'Autre résultat', text: 'L’opération s’est terminée ici avec un autre résultat.' },
    SEVERAL_OPERATIONS: {
      short: 'Plusieurs possibles',
      text: 'Plusieurs opérations correspondent au signalement.',
    },
    UNKNOWN_OPERATION: {
      short: 'Aucune opération',
      text: 'Aucune opération de Paygraph ne correspond au signalement.',
    },
    OTHER_MONEY: {
      short: 'Autre montant',
      text: 'Le signalement porte sur un autre montant ou une autre devise.',
    },
    UNKNOWN_AMOUNT: { short: 'Sans montant', text: 'Le signalement ne dit pas le montant.' },
    TOO_LARGE: { short: 'Trop grand', text: 'La somme dépasse le plus grand montant que Paygraph note.' },
    UNEXPECTED_STATE: {
      short: 'Impossible ici',
      text: 'L’état du paiement ne permet pas une telle opération.',
    },
    UNDECIDED: {
      short: 'Non décidé à temps',
      text: 'Une opération n’a pas eu de résultat à temps, et le signalement n’a pas été comptabilisé.',
    },
    CAPTURED_EXCEEDS_AUTHORIZED: {
      short: 'Trop encaissé',
      text: 'Le montant encaissé dépasse le montant autorisé. L’encaissement est comptabilisé.',
    },
    REFUNDED_EXCEEDS_CAPTURED: {
      short: 'Trop remboursé',
      text: 'Le montant remboursé dépasse le montant encaissé. Le remboursement est comptabilisé.',
    },
    EXCEEDS_OPERATION: {
      short: 'Trop repris',
      text: 'La reprise dépasse ce qui reste de son opération.',
    },
    POSSIBLE_REPEAT: {
      short: 'Peut-être répété',
      text: 'Une reprise égale est comptabilisée, et aucun id ne distingue les deux.',
    },
    LATE_AUTHORIZATION: {
      short: 'Argent retenu',
      text: 'Le prestataire a refusé de libérer l’argent d’une autorisation tardive.',
    },
    MISSING_AT_PROVIDER: {
      short: 'Absent chez lui',
      text: 'Le prestataire ne connaît pas une opération qui a réussi ici.',
    },
  },
  advice: {
    book: 'Si le signalement est juste, reprenez-le. Sinon, écartez-le avec un motif.',
    note: 'Reprenez le signalement pour en prendre note, ou écartez-le avec un motif.',
    dismiss:
      'Paygraph ne peut pas comptabiliser ce signalement. Réglez l’affaire avec le prestataire, puis écartez-le.',
    later: 'Le paiement ne permet pas la comptabilisation pour l’instant. Regardez d’abord le paiement.',
    ADOPTED: 'Une personne a repris le signalement.',
    DISMISSED: 'Une personne a écarté le signalement, et rien n’a été comptabilisé.',
    RESOLVED: 'Un signalement ultérieur a mis fin à l’écart.',
  },
  compared: {
    title: 'Trois côtés',
    provider: 'Prestataire',
    settlement: 'Règlement',
    ledger: 'Grand livre',
    reference: 'Id du prestataire',
    reversed: 'Repris',
    notSettled: 'Aucune écriture',
  },
  evidence: {
    title: 'Preuves',
    empty: 'L’historique du paiement ne nomme plus le signalement.',
    payment: 'Afficher tout l’historique',
  },
  details: { title: 'Détails', since: 'Connu depuis', ended: 'Terminé', reason: 'Motif', id: 'Identifiant' },
  ofPayment: {
    title: 'Le prestataire signale autre chose',
    text: 'Comparez les deux côtés avant d’encaisser ou de rembourser.',
  },
  adopt: {
    open: 'Reprendre',
    title: 'Reprendre le signalement',
    books: {
      AUTHORIZE: (amount) => `Paygraph comptabilise une autorisation de ${amount}.`,
      CAPTURE: (amount) => `Paygraph comptabilise un encaissement de ${amount}.`,
      REFUND: (amount) => `Paygraph comptabilise un remboursement de ${amount}.`,
      VOID: (amount) => `Paygraph comptabilise la libération de ${amount}.`,
      INCREASE: (amount) => `Paygraph comptabilise une augmentation de ${amount}.`,
    },
    booksOther: (kind, amount) => `Paygraph comptabilise : ${kind} de ${amount}.`,
    notes: 'Paygraph ne comptabilise rien de plus, car le signalement est déjà comptabilisé.',
    effect: (capturable, refundable) =>
      `Ensuite, ${capturable} peuvent être encaissés et ${refundable} remboursés.`,
    noMoney: 'Aucun argent ne bouge : l’opération a eu lieu chez le prestataire.',
    change: (before, after) => `${before} → ${after}`,
    submit: 'Reprendre le signalement',
    done: 'Le signalement est repris.',
  },
  dismiss: {
    open: 'Écarter',
    title: 'Clore l’écart',
    text: 'L’écart se termine, et rien n’est comptabilisé. Le même signalement ne le rouvre pas.',
    reason: 'Motif',
    reasonHint: 'Le journal d’audit le garde avec votre nom. 500 caractères au plus.',
    submit: 'Écarter',
    done: 'L’écart est clos.',
  },
  refused: {
    changed:
      'Quelqu’un d’autre a été plus rapide, ou le paiement a changé. Fermez cette fenêtre et comparez à nouveau.',
    forbidden: 'Votre rôle ne le permet pas. Demandez à un propriétaire du compte.',
  },
  empty: {
    open: 'Les deux côtés concordent',
    adopted: 'Aucun signalement repris',
    dismissed: 'Aucun signalement écarté',
    resolved: 'Aucun écart résolu',
    all: 'Aucun écart',
    text: 'Un écart apparaît ici si un prestataire signale quelque chose que Paygraph ne peut pas comptabiliser seul.',
    filtered: 'Aucun écart ne correspond',
    payments: 'Afficher les paiements',
    guide: 'En savoir plus sur les écarts',
  },
  missing: 'Cet écart n’existe pas',
  missingText: 'L’adresse ne désigne aucun écart de ce compte marchand.',
};
