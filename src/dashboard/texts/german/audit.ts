import type { Texts } from '../english.ts';

/** The texts of the audit log in German. */
export const audit: Texts['audit'] = {
  title: 'Audit-Protokoll',
  column: { action: 'Änderung', target: 'Datensatz', actor: 'Von', before: 'Felder', at: 'Zeit' },
  detail: { field: 'Feld', before: 'Vorher', after: 'Nachher', address: 'Adresse' },
  filter: {
    action: 'Änderung, etwa buyer.updated oder buyer.*',
    target: 'ID des Datensatzes',
    subject: 'Name der Person oder Subjekt des Schlüssels',
    actor: 'ID des Akteurs',
  },
  actor: {
    API_KEY: 'API-Schlüssel',
    PERSON: 'Person',
    BUYER: 'Käufer',
    PROVIDER: 'Anbieter',
    SYSTEM: 'Hintergrundprozess',
    COMMAND: 'Befehl',
    DATABASE: 'Datenbank',
  },
  empty: {
    title: 'Keine passende Änderung',
    text: 'Jede Änderung eines Datensatzes hat einen Eintrag. Entfernen Sie einen Filter, um mehr zu sehen.',
  },
};
