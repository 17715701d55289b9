import type { Texts } from '../english.ts';

const LIST = new Intl.ListFormat('fr', { type: 'conjunction' });

/** The texts about the route of a payment in French. */
export const routing: Texts['routing'] = {
  title: 'Routage',
  asked: 'Services dans l’ordre des demandes',
  passed: 'Écartés',
  present: 'Les raisons suivent les réglages actuels des services. Ils ont pu changer depuis le paiement.',
  open: 'Expliquer le routage',
  dialogTitle: 'Quel service reçoit un paiement ?',
  text: 'Décrivez un paiement. Rien n’est créé ni envoyé. Le montant ne change rien au routage.',
  submit: 'Trouver le parcours',
  nobody: 'Aucun service n’accepte le paiement.',
  next: 'Sollicité si le service précédent échoue ou refuse avec un code qui permet un nouvel essai.',
  never: 'Accepte le paiement, mais un service précédent met fin aux essais.',
  spared: 'Accepte le paiement, mais aucun nouvel essai n’est arrivé jusqu’ici.',
  otherMethods: (names) => `D’un autre moyen de paiement : ${LIST.format(names)}.`,
  rest: (count) => `${count} autres services ne sont pas affichés.`,
  state: { PENDING: 'En suspens', SUCCEEDED: 'Choisi', DECLINED: 'Refusé', FAILED: 'Échoué' },
  why: {
    REQUESTED: 'Le paiement nomme ce service.',
    FIRST: 'Le premier service dans l’ordre qui accepte le paiement.',
    AFTER_FAILURE: 'Sollicité parce que le service précédent a échoué sans effet.',
    AFTER_DECLINE:
      'Sollicité parce que le service précédent a refusé avec un code qui permet un nouvel essai.',
  },
  candidate: { first: 'Sollicité en premier', next: 'Sollicité ensuite', never: 'Jamais sollicité' },
  reason: {
    INACTIVE: 'Le service est désactivé.',
    NOT_READY: 'Le prestataire a refusé les identifiants.',
    METHOD: 'Le service a un autre moyen de paiement.',
    CURRENCY: 'Le service n’accepte pas la devise.',
    COUNTRY: 'Le service n’accepte pas le pays.',
    NOT_REQUESTED: 'Le paiement nomme un autre service.',
    UNAVAILABLE: 'Cette installation ne peut pas utiliser le prestataire.',
    INTENT: 'Le service ne peut encaisser qu’immédiatement.',
    THREE_D_SECURE: 'Le service n’authentifie pas les acheteurs.',
    THREE_D_SECURE_PASS_THROUGH: 'Le service n’accepte pas un 3-D Secure fait ailleurs.',
    INSTALLMENTS: 'Le service n’accepte pas les paiements en plusieurs fois.',
    CARD_NETWORK_CHOICE: 'Le service n’accepte pas le choix de ce réseau de carte.',
    RAW_CARD_DATA: 'Le service n’accepte pas les numéros de carte en clair.',
    APPLE_PAY: 'Le service n’accepte pas Apple Pay.',
    GOOGLE_PAY: 'Le service n’accepte pas Google Pay.',
    PROVIDER_TOKENS: 'Le service n’accepte pas les jetons du logiciel du prestataire.',
    NETWORK_TOKENS: 'Le service n’accepte pas les jetons de réseau.',
    PAYMENT_METHOD_TOKENIZATION: 'Le service n’enregistre pas de moyens de paiement chez le prestataire.',
    PAYMENT_METHOD: 'Le service ne connaît pas le moyen de paiement enregistré.',
  },
};
