import type { Texts } from '../english.ts';

type App = Pick<
  Texts,
  | 'language'
  | 'product'
  | 'skip'
  | 'navigation'
  | 'account'
  | 'live'
  | 'action'
  | 'order'
  | 'error'
  | 'notFound'
  | 'loading'
>;

/** The texts of the frame, the sign-in and the pieces in German. */
export const app: App = {
  language: 'de',
  product: 'Paygraph',
  skip: 'Zum Inhalt springen',
  navigation: {
    label: 'Hauptmenü',
    home: 'Übersicht',
    payments: 'Zahlungen',
    links: 'Zahlungslinks',
    buyers: 'Käufer',
    unresolved: 'Ungeklärt',
    differences: 'Abweichungen',
    refundRequests: 'Erstattungsanträge',
    disputes: 'Anfechtungen',
    settlements: 'Abrechnungen',
    giftCards: 'Geschenkkarten',
    connections: 'Verbindungen',
    services: 'Zahlungsdienste',
    antiFraud: 'Betrugsabwehr',
    threeDS: '3-D-Secure-Regeln',
    developers: 'Entwickler',
    webhooks: 'Webhooks',
    events: 'Ereignisse',
    account: 'Konto',
    team: 'Team',
    keys: 'API-Schlüssel',
    audit: 'Audit-Protokoll',
    open: 'Menü öffnen',
    close: 'Menü schließen',
  },
  account: {
    role: { owner: 'Inhaber', developer: 'Entwickler', support: 'Support', analyst: 'Analyst' },
    signOut: 'Abmelden',
    signOutEverywhere: 'Überall abmelden',
    theme: 'Darstellung',
    themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
    language: 'Sprache',
    sandbox: 'Sandbox',
    sandboxNote: 'Hier fließt kein Geld.',
  },
  live: {
    connecting: 'Verbindet',
    connected: 'Live',
    disconnected: 'Verbindet neu',
    connectedHint: 'Änderungen erscheinen von selbst.',
    disconnectedHint:
      'Die Verbindung ist unterbrochen. Verpasste Änderungen erscheinen, sobald sie wieder steht.',
  },
  action: {
    cancel: 'Abbrechen',
    running: 'In Arbeit',
    more: 'Mehr anzeigen',
    close: 'Schließen',
    clear: 'Leeren',
    clearAll: 'Filter entfernen',
    apply: 'Anwenden',
    retry: 'Noch einmal versuchen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    remove: (what) => `Filter ${what} entfernen`,
  },
  order: {
    hint: 'Ziehen Sie, um die Reihenfolge zu ändern, oder nutzen Sie die Pfeiltasten.',
    move: (name) => `${name} verschieben`,
    said: (name, rank, count) => `${name} ist Nummer ${rank} von ${count}.`,
    save: 'Reihenfolge speichern',
    discard: 'Verwerfen',
  },
  error: {
    title: 'Das hat nicht geklappt',
    code: (code) => `Code ${code}`,
    unreachable: 'Der Dienst antwortet nicht. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  },
  notFound: { title: 'Diese Seite gibt es nicht', back: 'Zu den Zahlungen' },
  loading: 'Wird geladen',
};
