import type { KnownCard } from '../../../connectors/interface/outcome.ts';
import type { PaymentMethod } from '../model/payment-method.ts';

/**
 * Applies the card that a provider reports to a payment method. Facts that the provider did not tell stay. Returns null if
 * nothing changes, or if the payment method is no card.
 *
 * - The same number: the expiration date changes. The stored number then pays with the new date at every service.
 * - A new number: only the provider knows the number, so the stored number pays no more. A `pan` becomes a `card_token`.
 * - A network token stays valid with its own expiration date. Only the card behind the token changes.
 */
export function replaceCard(before: PaymentMethod, card: KnownCard): PaymentMethod | null {
  const change = changeOf(before, card);
  const isChanged = FIELDS.some((field) => field in change && change[field] !== before[field]);
  return isChanged ? { ...before, ...change } : null;
}

const FIELDS = [
  ...(['instrumentType', 'scheme', 'bin', 'lastFour'] as const),
  ...(['label', 'expirationDate', 'fingerprint'] as const),
];

type Change = Partial<Pick<PaymentMethod, (typeof FIELDS)[number] | 'additionalSchemes'>>;

function changeOf(before: PaymentMethod, card: KnownCard): Change {
  const expirationDate = card.expirationDate ?? before.expirationDate;
  const isNew = isNewNumber(before, card);
  switch (before.instrumentType) {
    case 'pan':
      return isNew
        ? { ...newNumber(before, card), expirationDate, instrumentType: 'card_token', fingerprint: null }
        : { expirationDate };
    case 'card_token':
      return { ...(isNew ? newNumber(before, card) : completed(before, card)), expirationDate };
    case 'network_token':
      return isNew ? newNumber(before, card) : {};
    default:
      return {};
  }
}

const isNewNumber = ({ lastFour }: PaymentMethod, card: KnownCard): boolean =>
  lastFour !== null && card.lastFour !== null && card.lastFour !== lastFour;

/** The first digits of the earlier number say nothing about the new number. */
const newNumber = ({ scheme }: PaymentMethod, card: KnownCard): Change => ({
  ...{ scheme: card.scheme ?? scheme, bin: card.bin },
  ...{ lastFour: card.lastFour, label: card.lastFour, additionalSchemes: [] },
});

/** No payment may have told the card of a provider's token yet. */
const completed = ({ scheme, bin, lastFour, label }: PaymentMethod, card: KnownCard): Change => ({
  ...{ scheme: scheme ?? card.scheme, bin: bin ?? card.bin },
  ...{ lastFour: lastFour ?? card.lastFour, label: label ?? card.lastFour },
});
