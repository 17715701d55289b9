import type { Texts } from '../english.ts';

/** The texts about operations whose outcome is unknown, in French. */
export const unresolved: Texts['unresolved'] = {
  title: 'En suspens',
  text: 'Le prestataire n’a pas répondu clairement à ces opérations. Leurs montants restent réservés, et rien n’est fait deux fois.',
  operation: (kind, amount) => `${kind} de ${amount}`,
  at: (service) => `chez ${service}`,
  since: 'inconnu depuis le',
  next: 'prochaine demande le',
  key: 'Clé chez le prestataire :',
  still: 'Résultat inconnu',
  status: { PENDING: 'En cours', SUCCEEDED: 'Réussi', DECLINED: 'Refusé', FAILED: 'Échoué' },
  cause: {
    TIMEOUT: 'Délai dépassé',
    CONNECTION: 'Connexion coupée',
    SERVER_ERROR: 'Panne du prestataire',
    UNREADABLE: 'Réponse illisible',
    INTERRUPTED: 'Interrompu',
    UNDECIDED: 'Non décidé à temps',
  },
  advice: {
    wait: 'Paygraph continue d’interroger le prestataire : vous n’avez rien à faire. Si vous connaissez le résultat, consignez-le.',
    person:
      'Paygraph ne demande plus. Cherchez l’opération chez le prestataire par sa clé, puis consignez le résultat.',
  },
  empty: {
    title: 'Tous les résultats sont connus',
    text: 'Une opération apparaît ici si son prestataire ne répond pas à temps ou pas clairement.',
    payments: 'Afficher les paiements',
    guide: 'En savoir plus sur les résultats inconnus',
  },
  sync: {
    open: 'Interroger le prestataire',
    running: 'Demande en cours',
    title: 'Réponse du prestataire',
    nothing: 'Aucune opération n’est en cours, ou Paygraph interroge déjà le prestataire.',
    later: 'Paygraph continue de demander le résultat des opérations qui n’en ont pas.',
    done: 'Le paiement a le nouvel état.',
  },
  resolve: {
    open: 'Consigner le résultat',
    title: (operation) => `Consigner le résultat : ${operation}`,
    text: 'Cherchez d’abord l’opération dans les données du prestataire. Un résultat consigné ne se modifie plus.',
    outcome: 'Résultat chez le prestataire',
    outcomes: { SUCCEEDED: 'Réussi', FAILED: 'Échoué' },
    reason: 'Preuve',
    reasonHint: 'L’historique du paiement la garde avec votre nom. 500 caractères au plus.',
    reference: 'Id du prestataire',
    referenceHint: 'Facultatif. L’id du paiement, de l’encaissement ou du remboursement chez le prestataire.',
    amount: 'Montant',
    effect: 'Effet',
    effects: {
      SUCCEEDED: 'L’opération compte comme faite',
      FAILED: 'Le montant réservé est libéré',
    },
    submit: { SUCCEEDED: 'Consigner comme réussi', FAILED: 'Consigner comme échoué' },
    recorded: 'Le résultat a été consigné.',
  },
};
