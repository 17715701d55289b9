import type { Texts } from '../english.ts';

/** The texts of API keys in German. */
export const keys: Texts['keys'] = {
  title: 'API-Schlüssel',
  add: 'Schlüssel erstellen',
  column: {
    name: 'Name',
    scopes: 'Rechte',
    state: 'Status',
    used: 'Zuletzt genutzt',
    created: 'Erstellt',
    acts: 'Aktionen',
  },
  active: 'Aktiv',
  disabled: 'Deaktiviert',
  never: 'Nie',
  name: 'Name',
  scopes: 'Rechte',
  scopesHint: 'Durch Leerzeichen getrennt, zum Beispiel transactions.write *.read',
  acts: (name) => `Aktionen für ${name}`,
  disable: 'Deaktivieren',
  enable: 'Aktivieren',
  revoke: 'Alle bisherigen Tokens widerrufen',
  confirm: {
    disable:
      'Jedes Token dieses Schlüssels wird binnen fünf Sekunden abgelehnt. Sie können den Schlüssel wieder aktivieren.',
    enable: 'Tokens dieses Schlüssels werden wieder angenommen.',
    revoke: 'Jedes bisher ausgestellte Token wird abgelehnt. Der Schlüssel signiert neue.',
  },
  empty: {
    title: 'Noch keine Schlüssel',
    text: 'Ein Backend signiert seine Zugriffstokens mit einem Schlüssel.',
  },
  secret: {
    title: 'Der private Schlüssel',
    text: 'Bewahren Sie diesen Schlüssel in Ihrem Backend auf. Paygraph speichert ihn nicht und zeigt ihn nie wieder an.',
    rotate: 'Zum Wechseln nutzen Sie überall den neuen Schlüssel und deaktivieren dann den alten.',
    done: 'Fertig',
  },
};
