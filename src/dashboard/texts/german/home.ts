import type { Texts } from '../english.ts';

/** The texts of the home page in German. */
export const home: Texts['home'] = {
  title: 'Übersicht',
  span: 'Zeitraum',
  spans: { '1d': 'Heute', '7d': '7 Tage', '30d': '30 Tage', '90d': '90 Tage' },
  currency: 'Währung',
  volume: 'Eingezogener Umsatz',
  rate: 'Autorisierungsrate',
  payments: 'Zahlungen',
  refunds: 'Erstattungen',
  disputes: 'Verlorene Anfechtungen',
  none: 'Keine',
  points: (points) => `${points.toFixed(1).replace('.', ',')} Punkte`,
  before: (value) => `zuvor ${value}`,
  time: 'Zeit',
  spanBefore: 'Zeitraum davor',
  declines: 'Ablehnungen nach Grund',
  showDeclines: 'Anzeigen',
  noDeclines: 'Keine Autorisierung wurde abgelehnt.',
  noReason: 'ohne Grund',
  services: 'Zahlungsdienste nach Erfolg',
  noServices: 'Kein Zahlungsdienst wurde angefragt.',
  deletedService: 'Gelöschter Zahlungsdienst',
  attempts: (count) => (count === 1 ? '1 Autorisierung' : `${count} Autorisierungen`),
  zone: (zone) =>
    `Tage beginnen um Mitternacht in ${zone}. Der Zeitraum davor ist derselbe Teil ebenso vieler Tage zuvor.`,
  zones: {
    title: 'Zeitzone',
    label: (zone) => `Zeitzone: ${zone}`,
    browser: (zone) => `${zone}, wie der Browser`,
    search: 'Stadt oder UTC suchen',
    none: 'Keine Zeitzone heißt so.',
  },
  empty: 'Keine Zahlungen in diesem Zeitraum',
  emptyText: 'Wählen Sie einen längeren Zeitraum, oder nehmen Sie eine erste Zahlung an.',
  showPayments: 'Zahlungen anzeigen',
};
