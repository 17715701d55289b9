import type { Texts } from '../english.ts';

/** The texts of the audit log in French. */
export const audit: Texts['audit'] = {
  title: 'Journal d’audit',
  column: { action: 'Modification', target: 'Objet', actor: 'Par', before: 'Champs', at: 'Heure' },
  detail: { field: 'Champ', before: 'Avant', after: 'Après', address: 'Adresse' },
  filter: {
    action: 'Modification, par exemple buyer.updated ou buyer.*',
    target: 'Id de l’objet',
    subject: 'Nom de la personne, ou sujet de la clé',
    actor: 'Id de l’auteur',
  },
  actor: {
    API_KEY: 'Clé API',
    PERSON: 'Personne',
    BUYER: 'Acheteur',
    PROVIDER: 'Prestataire',
    SYSTEM: 'Tâche de fond',
    COMMAND: 'Commande',
    DATABASE: 'Base de données',
  },
  empty: {
    title: 'Aucune modification trouvée',
    text: 'Chaque modification d’un objet a une entrée. Effacez un filtre pour en voir davantage.',
  },
};
