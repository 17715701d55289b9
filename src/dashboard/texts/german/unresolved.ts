import type { Texts } from '../english.ts';

/** The texts about operations whose outcome is unknown, in German. */
export const unresolved: Texts['unresolved'] = {
  title: 'Ungeklärt',
  text: 'Der Anbieter gab auf diese Vorgänge keine klare Antwort. Ihre Beträge bleiben reserviert, und nichts geschieht doppelt.',
  operation: (kind, amount) => `${kind} über ${amount}`,
  at: (service) => `bei ${service}`,
  since: 'unbekannt seit',
  next: 'nächste Anfrage',
  key: 'Schlüssel beim Anbieter:',
  still: 'Ergebnis unbekannt',
  status: { PENDING: 'Läuft', SUCCEEDED: 'Erfolgreich', DECLINED: 'Abgelehnt', FAILED: 'Fehlgeschlagen' },
  cause: {
    TIMEOUT: 'Zeitüberschreitung',
    CONNECTION: 'Verbindung unterbrochen',
    SERVER_ERROR: 'Fehler beim Anbieter',
    UNREADABLE: 'Antwort nicht lesbar',
    INTERRUPTED: 'Unterbrochen',
    UNDECIDED: 'Nicht rechtzeitig entschieden',
  },
  advice: {
    wait: 'Paygraph fragt den Anbieter weiter, Sie müssen nichts tun. Wenn Sie das Ergebnis kennen, tragen Sie es ein.',
    person:
      'Paygraph fragt nicht mehr. Suchen Sie den Vorgang beim Anbieter anhand des Schlüssels, und tragen Sie das Ergebnis ein.',
  },
  empty: {
    title: 'Alle Ergebnisse sind bekannt',
    text: 'Ein Vorgang erscheint hier, wenn sein Anbieter nicht rechtzeitig oder nicht klar antwortet.',
    payments: 'Zahlungen anzeigen',
    guide: 'Mehr über unbekannte Ergebnisse',
  },
  sync: {
    open: 'Anbieter fragen',
    running: 'Fragt an',
    title: 'Antwort des Anbieters',
    nothing: 'Kein Vorgang ist offen, oder Paygraph fragt schon danach.',
    later: 'Paygraph fragt nach Vorgängen ohne Ergebnis weiter.',
    done: 'Die Zahlung hat den neuen Status.',
  },
  resolve: {
    open: 'Ergebnis eintragen',
    title: (operation) => `Ergebnis eintragen: ${operation}`,
    text: 'Sehen Sie zuerst in den Aufzeichnungen des Anbieters nach. Ein eingetragenes Ergebnis lässt sich nicht ändern.',
    outcome: 'Ergebnis beim Anbieter',
    outcomes: { SUCCEEDED: 'Erfolgreich', FAILED: 'Fehlgeschlagen' },
    reason: 'Beleg',
    reasonHint: 'Bleibt mit Ihrem Namen im Verlauf der Zahlung. Höchstens 500 Zeichen.',
    reference: 'ID beim Anbieter',
    referenceHint: 'Optional. Die ID der Zahlung, des Einzugs oder der Erstattung beim Anbieter.',
    amount: 'Betrag',
    effect: 'Wirkung',
    effects: {
      SUCCEEDED: 'Der Vorgang gilt als ausgeführt',
      FAILED: 'Der reservierte Betrag wird freigegeben',
    },
    submit: { SUCCEEDED: 'Als erfolgreich eintragen', FAILED: 'Als fehlgeschlagen eintragen' },
    recorded: 'Das Ergebnis wurde eingetragen.',
  },
};
