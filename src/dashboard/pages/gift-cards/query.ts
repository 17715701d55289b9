import type { Answer } from '../../../client/operations/selection.ts';
import type {
  GiftCard,
  GiftCardReferenceInput,
  StoreGiftCardInput,
} from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';
import { PAGE_INFO, rowsOf, type Rows } from '../../app/pages.ts';

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
export type Row = Answer<GiftCard, ReturnType<typeof cardOf>>;

/** Reads a page of the gift cards, newest first. */
export async function readGiftCards(
  withBuyer: boolean,
  after: string | null,
  signal: AbortSignal,
): Promise<Rows<Row>> {
  const { giftCards } = await api.query(
    {
      giftCards: [
        { first: 50, after },
        { nodes: cardOf(withBuyer), pageInfo: PAGE_INFO },
      ],
    },
    { signal },
  );
  return rowsOf(giftCards);
}

/** Stores a gift card. Returns its id. */
export async function storeGiftCard(input: StoreGiftCardInput, idempotencyKey: string): Promise<string> {
  const { storeGiftCard: stored } = await api.mutate({
    storeGiftCard: [{ input, idempotencyKey }, { giftCardId: true }],
  });
  if (stored.giftCardId === null) throw new Error('A gift card was neither stored nor refused.');
  return stored.giftCardId;
}

const BALANCE = {
  ...{ lastFour: true, balance: true, currency: true, expirationDate: true, balanceErrorCode: true },
  ...{ balanceRawErrorMessage: true },
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
