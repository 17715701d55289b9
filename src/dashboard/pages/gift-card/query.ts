import type { Answer } from '../../../client/operations/selection.ts';
import type { GiftCardRedemption } from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';
import { cardOf } from '../gift-cards/query.ts';

/** Reads a gift card. Null without such a card. */
export async function readGiftCard(id: string, withBuyer: boolean, signal: AbortSignal) {
  const selection = { ...cardOf(withBuyer), paymentService: { displayName: true } } as const;
  return (await api.query({ giftCard: [{ id }, selection] }, { signal })).giftCard;
}

/** A gift card of the page. */
export type GiftCard = NonNullable<Awaited<ReturnType<typeof readGiftCard>>>;

const REDEMPTION = {
  ...{ id: true, status: true, amount: true, currency: true, refundedAmount: true, errorCode: true },
  giftCard: { id: true },
} as const;

/** A part of a payment that the gift card pays. */
export type Redemption = Answer<GiftCardRedemption, typeof REDEMPTION> & {
  readonly paymentId: string;
  readonly createdAt: string;
};

/** The latest payments with gift cards that are searched for one gift card. */
export const SEARCHED = 50;

/** Reads the redemptions of a gift card among the latest payments with gift cards, newest first. */
export async function readRedemptions(
  { id, createdAt }: Pick<GiftCard, 'id' | 'createdAt'>,
  signal: AbortSignal,
): Promise<readonly Redemption[]> {
  const filter = { hasGiftCardRedemptions: true, createdAtGte: createdAt };
  const { transactions } = await api.query(
    {
      transactions: [
        { first: SEARCHED, filter },
        { nodes: { id: true, createdAt: true, giftCardRedemptions: REDEMPTION } },
      ],
    },
    { signal },
  );
  return transactions.nodes.flatMap((payment) =>
    payment.giftCardRedemptions
      .filter(({ giftCard }) => giftCard?.id === id)
      .map((redemption) => ({ ...redemption, paymentId: payment.id, createdAt: payment.createdAt })),
  );
}

/** Deletes a gift card. */
export async function deleteGiftCard(id: string): Promise<void> {
  await api.mutate({ deleteGiftCard: [{ id }, { deletedId: true }] });
}
