import type { Texts } from '../english.ts';

/** The texts of API keys in French. */
export const keys: Texts['keys'] = {
  title: 'Clés API',
  add: 'Créer une clé',
  column: {
    name: 'Nom',
    scopes: 'Droits',
    state: 'État',
    used: 'Dernier usage',
    created: 'Création',
    acts: 'Actions',
  },
  active: 'Active',
  disabled: 'Désactivée',
  never: 'Jamais',
  name: 'Nom',
  scopes: 'Droits',
  scopesHint: 'Séparés par des espaces, par exemple transactions.write *.read',
  acts: (name) => `Actions pour ${name}`,
  disable: 'Désactiver',
  enable: 'Activer',
  revoke: 'Révoquer les jetons actuels',
  confirm: {
    disable: 'Chaque jeton de cette clé est refusé sous cinq secondes. Vous pourrez réactiver la clé.',
    enable: 'Les jetons de cette clé sont de nouveau acceptés.',
    revoke: 'Chaque jeton émis avant maintenant est refusé. La clé en signe de nouveaux.',
  },
  empty: {
    title: 'Aucune clé pour l’instant',
    text: 'Un backend signe ses jetons d’accès avec une clé.',
  },
  secret: {
    title: 'La clé privée',
    text: 'Gardez cette clé dans votre backend. Paygraph ne l’enregistre pas et ne l’affichera plus jamais.',
    rotate: 'Pour la remplacer, utilisez partout la nouvelle clé, puis désactivez l’ancienne.',
    done: 'Terminé',
  },
};
