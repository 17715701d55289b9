import type { Texts } from '../english.ts';

/** The texts of the pages of differences in German. */
export const differences: Texts['differences'] = {
  title: 'Abweichungen',
  back: 'Abweichungen',
  text: 'Ein Anbieter meldet etwas anderes, als Paygraph hat. Vergleichen Sie beide Seiten, und übernehmen oder verwerfen Sie dann die Meldung.',
  filter: 'Status der Abweichungen',
  filters: {
    open: 'Offen',
    adopted: 'Übernommen',
    dismissed: 'Verworfen',
    resolved: 'Erledigt',
    all: 'Alle',
  },
  state: { OPEN: 'Offen', ADOPTED: 'Übernommen', DISMISSED: 'Verworfen', RESOLVED: 'Erledigt' },
  field: { source: 'Gefunden durch', kind: 'Vorgang', service: 'Zahlungsdienst', age: 'Bekannt' },
  any: {
    source: 'Jede Meldung',
    kind: 'Alle Vorgänge',
    service: 'Alle Dienste',
    age: 'Beliebig',
  },
  age: {
    fresh: 'Seit weniger als einem Tag',
    day: 'Seit mehr als einem Tag',
    week: 'Seit mehr als 7 Tagen',
    month: 'Seit mehr als 30 Tagen',
  },
  source: { NOTICE: 'Webhook', LOOK_UP: 'Abgleich', SETTLEMENT: 'Abrechnung' },
  column: {
    finding: 'Abweichung',
    state: 'Status',
    provider: 'Anbieter meldet',
    ledger: 'Paygraph hat',
    payment: 'Zahlung',
    since: 'Bekannt seit',
  },
  none: 'Nichts Passendes',
  notTold: 'Nicht genannt',
  unknown: 'Kennt ihn nicht',
  finding: {
    CONTRADICTS: {
      short: 'Anderes Ergebnis',
      text: 'Der Vorgang endete hier mit einem anderen Ergebnis.',
    },
    SEVERAL_OPERATIONS: { short: 'Mehrere passen', text: 'Mehrere Vorgänge passen zur Meldung.' },
    UNKNOWN_OPERATION: { short: 'Kein Vorgang', text: 'Kein Vorgang von Paygraph passt zur Meldung.' },
    OTHER_MONEY: {
      short: 'Anderer Betrag',
      text: 'Die Meldung nennt einen anderen Betrag oder eine andere Währung.',
    },
    UNKNOWN_AMOUNT: { short: 'Kein Betrag', text: 'Die Meldung nennt keinen Betrag.' },
    TOO_LARGE: {
      short: 'Zu groß',
      text: 'Die Summe ist größer als der größte Betrag, den Paygraph aufzeichnet.',
    },
    UNEXPECTED_STATE: {
      short: 'Hier nicht möglich',
      text: 'Der Status der Zahlung lässt einen solchen Vorgang nicht zu.',
    },
    UNDECIDED: {
      short: 'Nicht entschieden',
      text: 'Ein Vorgang hatte nicht rechtzeitig ein Ergebnis, daher wurde die Meldung nicht gebucht.',
    },
    CAPTURED_EXCEEDS_AUTHORIZED: {
      short: 'Zu viel eingezogen',
      text: 'Es ist mehr eingezogen als autorisiert. Der Einzug ist gebucht.',
    },
    REFUNDED_EXCEEDS_CAPTURED: {
      short: 'Zu viel erstattet',
      text: 'Es ist mehr erstattet als eingezogen. Die Erstattung ist gebucht.',
    },
    EXCEEDS_OPERATION: {
      short: 'Zu viel zurückgebucht',
      text: 'Die Rückbuchung ist größer als der Rest ihres Vorgangs.',
    },
    POSSIBLE_REPEAT: {
      short: 'Vielleicht doppelt',
      text: 'Eine gleiche Rückbuchung ist gebucht, und keine ID unterscheidet die beiden.',
    },
    LATE_AUTHORIZATION: {
      short: 'Geld noch reserviert',
      text: 'Der Anbieter hat das Geld einer verspäteten Autorisierung nicht freigegeben.',
    },
    MISSING_AT_PROVIDER: {
      short: 'Fehlt beim Anbieter',
      text: 'Der Anbieter kennt einen Vorgang nicht, der hier erfolgreich war.',
    },
  },
  advice: {
    book: 'Stimmt die Meldung, übernehmen Sie sie. Sonst verwerfen Sie sie mit einer Begründung.',
    note: 'Übernehmen Sie die Meldung, um sie zur Kenntnis zu nehmen, oder verwerfen Sie sie.',
    dismiss:
      'Paygraph kann diese Meldung nicht buchen. Klären Sie den Fall mit dem Anbieter, und verwerfen Sie sie dann.',
    later: 'Die Zahlung lässt die Buchung gerade nicht zu. Sehen Sie sich zuerst die Zahlung an.',
    ADOPTED: 'Eine Person hat die Meldung übernommen.',
    DISMISSED: 'Eine Person hat die Abweichung verworfen, und nichts wurde gebucht.',
    RESOLVED: 'Eine spätere Meldung hat die Abweichung beendet.',
  },
  compared: {
    title: 'Drei Seiten',
    provider: 'Anbieter',
    settlement: 'Abrechnung',
    ledger: 'Hauptbuch',
    reference: 'ID beim Anbieter',
    reversed: 'Zurückgebucht',
    notSettled: 'Kein Eintrag',
  },
  evidence: {
    title: 'Belege',
    empty: 'Der Verlauf der Zahlung nennt die Meldung nicht mehr.',
    payment: 'Ganzen Verlauf anzeigen',
  },
  details: { title: 'Details', since: 'Bekannt seit', ended: 'Beendet', reason: 'Begründung', id: 'Kennung' },
  ofPayment: {
    title: 'Der Anbieter meldet etwas anderes',
    text: 'Vergleichen Sie beide Seiten, bevor Sie einziehen oder erstatten.',
  },
  adopt: {
    open: 'Übernehmen',
    title: 'Meldung übernehmen',
    books: {
      AUTHORIZE: (amount) => `Paygraph bucht eine Autorisierung über ${amount}.`,
      CAPTURE: (amount) => `Paygraph bucht einen Einzug über ${amount}.`,
      REFUND: (amount) => `Paygraph bucht eine Erstattung über ${amount}.`,
      VOID: (amount) => `Paygraph bucht die Freigabe von ${amount}.`,
      INCREASE: (amount) => `Paygraph bucht eine Erhöhung um ${amount}.`,
    },
    booksOther: (kind, amount) => `Paygraph bucht: ${kind} über ${amount}.`,
    notes: 'Paygraph bucht nichts weiter, denn die Meldung ist schon gebucht.',
    effect: (capturable, refundable) => `Danach sind ${capturable} einziehbar und ${refundable} erstattbar.`,
    noMoney: 'Es bewegt sich kein Geld: Der Vorgang geschah beim Anbieter.',
    change: (before, after) => `${before} → ${after}`,
    submit: 'Meldung übernehmen',
    done: 'Die Meldung ist übernommen.',
  },
  dismiss: {
    open: 'Verwerfen',
    title: 'Abweichung verwerfen',
    text: 'Die Abweichung endet, und nichts wird gebucht. Dieselbe Meldung öffnet sie nicht wieder.',
    reason: 'Begründung',
    reasonHint: 'Das Audit-Protokoll behält sie mit Ihrem Namen. Höchstens 500 Zeichen.',
    submit: 'Verwerfen',
    done: 'Die Abweichung ist verworfen.',
  },
  refused: {
    ended:
      'Jemand anderes oder eine spätere Meldung war schneller. Schließen Sie das Fenster, um den Stand zu sehen.',
    notAdoptable:
      'Die Zahlung hat sich geändert, die Meldung lässt sich so nicht buchen. Schließen Sie das Fenster, und vergleichen Sie erneut.',
    forbidden: 'Ihre Rolle erlaubt das nicht. Fragen Sie einen Inhaber des Kontos.',
  },
  empty: {
    open: 'Beide Seiten stimmen überein',
    adopted: 'Keine Meldung wurde übernommen',
    dismissed: 'Keine Abweichung wurde verworfen',
    resolved: 'Keine Abweichung hat sich erledigt',
    all: 'Keine Abweichungen',
    text: 'Eine Abweichung erscheint hier, wenn ein Anbieter etwas meldet, das Paygraph nicht selbst buchen kann.',
    filtered: 'Keine Abweichung passt',
    payments: 'Zahlungen anzeigen',
    guide: 'Mehr über Abweichungen',
  },
  missing: 'Diese Abweichung gibt es nicht',
  missingText: 'Die Adresse nennt keine Abweichung dieses Händlerkontos.',
};
