import { cardFacts } from '../../payment-methods/index.ts';
import type { Transaction } from '../model/transaction.ts';
import type { Paying } from './paying.ts';

export type CardColumns = Pick<
  Transaction,
  'cardScheme' | 'cardBin' | 'cardLastFour' | 'cardExpirationDate' | 'cardFingerprint'
>;

/** Returns the facts of the card. A wallet's card, and a token's, are known after the provider's answer. */
export function cardColumns(
  { card, networkToken, tokenised, stored }: Pick<Paying, 'card' | 'networkToken' | 'tokenised' | 'stored'>,
  given: string | null,
): CardColumns {
  const number = card?.number ?? networkToken?.number ?? null;
  const facts = number === null ? null : cardFacts(number);
  return {
    cardScheme: tokenised?.scheme ?? facts?.scheme ?? null,
    // The first digits of a network token are not those of the card, and the last digits neither.
    cardBin: (card ? facts : tokenised)?.bin ?? null,
    cardLastFour: (card ? facts : tokenised)?.lastFour ?? null,
    cardExpirationDate: (card ?? networkToken ?? tokenised)?.expirationDate ?? null,
    cardFingerprint: number === null ? null : (stored?.fingerprint ?? given),
  };
}
