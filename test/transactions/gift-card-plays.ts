import { expect } from '@jest/globals';
import { METHOD, type Answer, type Card, type GiftCardPayments } from './gift-card-payments.ts';

/** Two cards hold 500 each, and each pays 200. The method pays 600, or declines 200011. */
export type Play = { readonly amount: number; readonly second: number; readonly status: string };

/** Pays with two cards and a method. */
export const payWithCards = (
  giftCards: GiftCardPayments,
  cards: readonly Card[],
  amount: number,
  key: string,
): Promise<Answer> =>
  giftCards.pay(
    { amount, paymentMethod: METHOD, giftCards: cards.map((card) => ({ ...card, amount: 200 })) },
    key,
  );

/** Checks the final state after any interruption. */
export async function expectTruth(
  giftCards: GiftCardPayments,
  key: string,
  cards: readonly Card[],
  play: Play,
): Promise<void> {
  const { prisma } = giftCards.server.app.db;
  const rows = await prisma.operation.findMany({ where: { idempotencyKey: key } });
  expect(rows).toHaveLength(1);
  const transactionId = rows[0]?.transactionId ?? '';
  const isPaid = play.status === 'AUTHORIZATION_SUCCEEDED';
  const payment = await giftCards.payment(transactionId);
  expect(payment).toMatchObject({
    ...{ status: play.status, authorizedAmount: isPaid ? play.amount - 400 : 0 },
    giftCardRedeemedAmount: isPaid ? 400 : 0,
  });
  const begunWith = [500, play.second];
  const left = await Promise.all(cards.map((card) => giftCards.balance(card)));
  expect(left).toEqual(begunWith.map((balance) => balance - (isPaid ? 200 : 0)));
  expect(await prisma.operation.count({ where: { transactionId, status: 'pending' } })).toBe(0);
  expect(await prisma.redemption.count({ where: { sealedCard: { not: null } } })).toBe(0);
  // The ledger agrees, and the provider did nothing twice.
  const entries = await prisma.ledgerEntry.findMany({ where: { transactionId } });
  const sum = (kind: string): number =>
    entries.filter((entry) => entry.kind === kind).reduce((all, { amount }) => all + amount, 0);
  expect(sum('redeem') - sum('unredeem')).toBe(isPaid ? 400 : 0);
  expect(sum('authorize')).toBe(isPaid ? play.amount - 400 : 0);
}
