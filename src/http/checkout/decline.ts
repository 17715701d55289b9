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
  HELPED_BY_METHOD[method]?.[errorCode ?? ''] ?? 'declined';

type Helped = Readonly<Record<string, Decline>>;

/** The buyer of a wallet's card cannot enter a value again. */
const HELPED_IN_WALLET: Helped = {
  expired_payment_method: 'declinedExpired',
  failed_buyer_approval: 'declinedAuthentication',
  insufficient_funds: 'declinedFunds',
};

const HELPED_BY_METHOD: Readonly<Record<string, Helped>> = {
  card: {
    ...HELPED_IN_WALLET,
    incorrect_cvv: 'declinedCode',
    incorrect_expiry_date: 'declinedExpiry',
  },
  applepay: HELPED_IN_WALLET,
  googlepay: HELPED_IN_WALLET,
};
