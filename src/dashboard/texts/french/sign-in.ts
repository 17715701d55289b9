import type { Texts } from '../english.ts';

/** The texts of the sign-in and of an invitation in French. */
export const signIn: Texts['signIn'] = {
  title: 'Se connecter',
  lead: 'Pour voir et modifier les paiements de votre compte marchand.',
  signedOut: 'Déconnexion effectuée',
  again: 'Se reconnecter',
  failed: 'Le tableau de bord n’atteint pas son serveur',
  provider: 'Se connecter avec le compte de l’entreprise',
  passkey: 'Se connecter avec une clé d’accès',
  or: 'ou avec un mot de passe',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  next: 'Continuer',
  code: 'Code',
  codeHint: 'Les six chiffres de votre application d’authentification ou un code de secours.',
  submit: 'Se connecter',
  back: 'Retour',
  account: 'Compte marchand',
  otherAccount: 'Un autre compte marchand',
  trouble:
    'Vous avez perdu votre téléphone et vos codes de secours ? Un propriétaire du compte peut vous réinviter.',
  passkeyFailed: 'Aucune clé d’accès n’a été utilisée. Réessayez ou utilisez votre mot de passe.',
  join: {
    title: 'Accepter votre invitation',
    lead: (email, account) => `Vous vous connectez comme ${email} au compte marchand ${account}.`,
    withPasskey: 'Utiliser une clé d’accès',
    passkeyHint:
      'Votre empreinte, votre visage ou le code PIN de cet appareil. Le moyen le plus sûr, sans rien à retenir.',
    or: 'ou choisir un mot de passe',
    scan: 'Scannez ce code avec une application d’authentification',
    scanHint: 'L’application affiche ensuite un nouveau code à six chiffres toutes les trente secondes.',
    key: 'Ou saisissez cette clé',
    passwordHint: 'Au moins 12 caractères. Plusieurs mots sans lien entre eux conviennent bien.',
    codeHint: 'Les six chiffres que l’application affiche maintenant.',
    submit: 'Accepter',
    missing: 'Cette invitation n’est pas valable',
    codesTitle: 'Conservez vos codes de secours',
    codesLead:
      'Chaque code vous connecte une fois sans téléphone. Personne ne pourra les afficher de nouveau.',
    copy: 'Tout copier',
    copied: 'Copié',
    done: 'Je les ai conservés',
  },
};
