import type { Texts } from '../english.ts';

/** The texts of the page of events in French. */
export const events: Texts['events'] = {
  title: 'Événements',
  filter: 'Événements à afficher',
  all: 'Tous les événements',
  keys: 'j et k déplacent, Entrée ouvre, p met en pause',
  pause: 'Mettre en pause',
  resume: (count) =>
    count === 0 ? 'Reprendre' : `Reprendre, ${count} ${count < 2 ? 'nouveau' : 'nouveaux'}`,
  older: 'Afficher les plus anciens',
  open: 'Ouvrir l’objet',
  id: 'Id',
  payload: 'Contenu',
  empty: {
    title: 'Aucun événement pour l’instant',
    filteredTitle: 'Aucun événement de ce type',
    text: 'Chaque changement d’un paiement, d’un lien ou d’un autre objet apparaît ici aussitôt.',
    all: 'Afficher tous les événements',
    guide: 'Lire le guide',
  },
};
