import type { Transaction } from '../../modules/transactions/index.ts';

/** The sentences after a declined payment. Each is also the name of its text. */
export type Decline =
  | 'declined'
  | 'declinedAuthentication'
  | 'declinedCode'
  | 'declinedExpired'
  | 'declinedExpiry'
  | 'declinedFunds';

/**
 * Returns the sentence that helps after a decline of a card. A reason that the buyer cannot mend gets the general sentence. A
 * suspicion of fraud gets the general sentence too, so that a thief learns nothing.
 */
export const declineOf = ({ method, errorCode }: Pick<Transaction, 'method' | 'errorCode'>): Decline =>
  (method === 'card' ? HELPED[errorCode ?? ''] : undefined) ?? 'declined';

const HELPED: Readonly<Record<string, Decline>> = {
  expired_payment_method: 'declinedExpired',
  failed_buyer_approval: 'declinedAuthentication',
  incorrect_cvv: 'declinedCode',
  incorrect_expiry_date: 'declinedExpiry',
  insufficient_funds: 'declinedFunds',
};
