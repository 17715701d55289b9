import type { GiftCard, GiftCardReferenceInput } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api } from '../../app/data/api.ts';

const BUYER = {
  ...{ id: true, displayName: true },
  billingDetails: { firstName: true, lastName: true, emailAddress: true },
} as const;

/** The fields of a gift card. Buyers need a scope of their own. */
export const cardOf = (withBuyer: boolean) =>
  ({
    ...{ id: true, bin: true, subBin: true, lastFour: true, expirationDate: true, currency: true },
    ...{ balance: true, balanceUpdatedAt: true, lastUsedAt: true, usageCount: true, createdAt: true },
    // Without the scope the field is absent.
    buyer: (withBuyer && BUYER) as typeof BUYER,
  }) as const;

/** A gift card of the list. */
export type GiftCardRow = Answer<GiftCard, ReturnType<typeof cardOf>>;

/** Reads a gift card. Null without such a card. */
export async function readGiftCard(id: string, withBuyer: boolean, signal: AbortSignal) {
  const selection = { ...cardOf(withBuyer), paymentService: { displayName: true } } as const;
  return (await api.query({ giftCard: [{ id }, selection] }, { signal })).giftCard;
}

/** A gift card of the page. */
export type FoundGiftCard = NonNullable<Awaited<ReturnType<typeof readGiftCard>>>;

const BALANCE = {
  ...{ lastFour: true, balance: true, currency: true, expirationDate: true, balanceErrorCode: true },
  balanceRawErrorMessage: true,
} as const;

/** Asks the provider for the balance of a gift card. A stored gift card keeps the answer. */
export async function askBalance(giftCard: GiftCardReferenceInput) {
  const { checkGiftCardBalances } = await api.mutate({
    checkGiftCardBalances: [{ input: { giftCards: [giftCard] } }, { balances: BALANCE }],
  });
  const [balance] = checkGiftCardBalances.balances;
  if (!balance) throw new Error('The balance of a gift card was neither answered nor refused.');
  return balance;
}

/** The provider's answer about a balance. */
export type Balance = Awaited<ReturnType<typeof askBalance>>;
