import type { Texts } from '../english.ts';

/** The texts of people, sessions and keys in French. */
export const team: Texts['team'] = {
  title: 'Équipe',
  people: 'Personnes',
  sessions: 'Sessions',
  invite: 'Inviter une personne',
  column: {
    email: 'Adresse e-mail',
    role: 'Rôle',
    state: 'État',
    ways: 'Se connecte avec',
    signedIn: 'Dernière connexion',
    acts: 'Actions',
    person: 'Personne',
    browser: 'Navigateur',
    address: 'Adresse',
    since: 'Depuis',
  },
  state: { INVITED: 'Invité', ACTIVE: 'Actif', SUSPENDED: 'Suspendu' },
  way: {
    SANDBOX: 'Rien, dans le bac à sable',
    PASSWORD: 'Mot de passe et code',
    RECOVERY_CODE: 'Mot de passe et code de secours',
    PASSKEY: 'Clé d’accès',
    OIDC: 'Fournisseur d’identité',
  },
  provider: 'Fournisseur d’identité',
  password: 'Mot de passe et code',
  passkeys: (count) => (count < 2 ? `${count} clé d’accès` : `${count} clés d’accès`),
  nothing: 'Rien pour l’instant',
  never: 'Jamais',
  current: 'Cette session',
  unknownBrowser: 'Inconnu',
  acts: (email) => `Actions pour ${email}`,
  again: 'Réinviter',
  suspend: 'Suspendre',
  resume: 'Réadmettre',
  changeRole: 'Changer le rôle',
  end: 'Terminer la session',
  ended: 'La session est terminée.',
  changed: 'La modification vaut aussitôt.',
  empty: {
    title: 'Personne n’est invité pour l’instant',
    text: 'Invitez les personnes qui s’occupent des paiements, chacune avec un rôle.',
  },
  role: {
    OWNER: 'Propriétaire : tout',
    DEVELOPER: 'Développeur : tout sauf les clés, les personnes et les comptes',
    SUPPORT: 'Assistance : les paiements avec leurs acheteurs, et les remboursements',
    ANALYST: 'Analyste : les paiements sans leurs acheteurs, en lecture seule',
  },
  confirm: {
    again:
      'Le mot de passe, les codes et les clés d’accès de cette personne ne valent plus, et chaque session se termine.',
    suspend:
      'Chaque session de cette personne se termine. Aucune connexion ne réussit tant que vous ne la réadmettez pas.',
    resume: 'Cette personne peut se reconnecter avec le même mot de passe ou la même clé d’accès.',
  },
  invitation: {
    title: 'L’invitation',
    text: 'Envoyez cette adresse à la personne par un canal sûr. Elle vaut une fois, pendant 72 heures, et ne sera plus affichée.',
    done: 'Terminé',
  },
};
