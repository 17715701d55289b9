import type { Texts } from '../english.ts';

const POINTS = new Intl.NumberFormat('fr', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The texts of the home page in French. */
export const home: Texts['home'] = {
  title: 'Accueil',
  span: 'Période',
  spans: { '1d': 'Ce jour', '7d': '7 jours', '30d': '30 jours', '90d': '90 jours' },
  currency: 'Devise',
  volume: 'Volume encaissé',
  rate: 'Taux d’autorisation',
  payments: 'Paiements',
  refunds: 'Remboursements',
  disputes: 'Litiges perdus',
  none: 'Aucun',
  points: (points) => `${POINTS.format(points)} ${Math.abs(points) < 2 ? 'point' : 'points'}`,
  before: (value) => `${value} auparavant`,
  time: 'Date',
  spanBefore: 'Période précédente',
  declines: 'Refus par motif',
  showDeclines: 'Afficher',
  noDeclines: 'Aucune autorisation n’a été refusée.',
  noReason: 'sans motif',
  services: 'Services de paiement par réussite',
  noServices: 'Aucun service de paiement n’a été sollicité.',
  deletedService: 'Service de paiement supprimé',
  attempts: (count) => (count < 2 ? `${count} autorisation` : `${count} autorisations`),
  zone: (zone) =>
    `Les jours commencent à minuit (${zone}). La période précédente couvre la même partie d’autant de jours avant.`,
  zones: {
    title: 'Fuseau horaire',
    label: (zone) => `Fuseau horaire : ${zone}`,
    browser: (zone) => `${zone}, comme le navigateur`,
    search: 'Rechercher une ville ou UTC',
    none: 'Aucun fuseau horaire ne porte ce nom.',
  },
  empty: 'Aucun paiement dans cette période',
  emptyText: 'Choisissez une période plus longue ou acceptez un premier paiement.',
  showPayments: 'Afficher les paiements',
};
