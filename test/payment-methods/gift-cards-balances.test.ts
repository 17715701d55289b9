import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callGiftCard } from '../../src/connectors/calls/call-gift-card.ts';
import {
  recordGiftCardReturn,
  recordGiftCardUse,
  repeatedGiftCards,
  resolveGiftCards,
  updateGiftCardBalance,
  type GiftCardReference,
  type ResolvedGiftCard,
} from '../../src/modules/payment-methods/index.ts';
import { openCall } from '../../src/modules/payment-services/index.ts';
import {
  ERRORS,
  freshNumber,
  GIFT_CARD,
  startGiftCardHarness,
  type GiftCard,
  type GiftCardHarness,
  type Merchant,
  type UserError,
} from './gift-card-harness.ts';

let harness: GiftCardHarness;
let merchant: Merchant;
let rival: Merchant;

beforeAll(async () => {
  harness = await startGiftCardHarness();
  merchant = await harness.merchant();
  rival = await harness.merchant();
  await merchant.service();
  await rival.service();
});
afterAll(() => harness.stop());

type Balance = {
  readonly giftCard: GiftCard | null;
  readonly balance: number | null;
  readonly [field: string]: unknown;
};

const check = (giftCards: readonly unknown[], from = merchant) =>
  from.ask<{ readonly balances: readonly Balance[]; readonly userErrors: readonly UserError[] }>(
    `mutation ($input: CheckGiftCardBalancesInput!) { answer: checkGiftCardBalances(input: $input) {
      balances { giftCard { ${GIFT_CARD} } bin subBin lastFour balance currency expirationDate
        balanceErrorCode balanceRawErrorCode balanceRawErrorMessage } ${ERRORS} } }`,
    { input: { giftCards } },
  );

const resolve = (giftCards: readonly GiftCardReference[], { id: merchantAccountId } = merchant) =>
  resolveGiftCards(harness.server.app, {
    ...{ merchantAccountId, giftCards, paymentServiceId: null, path: ['input', 'giftCards'] },
  });
async function resolved(...giftCards: readonly GiftCardReference[]): Promise<readonly ResolvedGiftCard[]> {
  const found = await resolve(giftCards);
  if (!found.ok) throw new Error(JSON.stringify(found.refusals));
  return found.value;
}

/** Redeems from a card directly at its provider. */
async function spend(reference: GiftCardReference, amount: number): Promise<void> {
  const { app } = harness.server;
  const [card] = await resolved(reference);
  if (!card) throw new Error('Nothing was resolved.');
  const { connector, context } = await openCall(app, merchant.id, card.service);
  const money = { amount, currency: 'USD' };
  const reported = await callGiftCard(connector, context, app.log, {
    ...{ verb: 'redeem', key: app.ids.uuid(), card: card.secrets, money },
  });
  expect(reported).toMatchObject({ kind: 'succeeded', money });
}

describe('the balances of gift cards', () => {
  it('are read live, in the given order, and those of stored cards are stored and published', async () => {
    const stored = await merchant.stored({ number: freshNumber(), pin: '01000' });
    const oneOff = { number: freshNumber(), pin: '0500' };
    await spend({ id: stored.id }, 300);

    const { balances, userErrors } = await check([oneOff, { id: stored.id }]);

    expect(userErrors).toEqual([]);
    expect(balances).toMatchObject([
      {
        ...{ giftCard: null, balance: 500, currency: 'USD', balanceErrorCode: null },
        ...{ lastFour: oneOff.number.slice(-4), expirationDate: '2099-12-31T23:59:59.000Z' },
      },
      { giftCard: { id: stored.id, balance: 700, usageCount: 0 }, balance: 700, bin: stored['bin'] },
    ]);
    expect(await merchant.read(stored.id)).toEqual(balances[1]?.giftCard);
    expect((await merchant.events(stored.id)).map(([name, { balance }]) => [name, balance])).toEqual([
      ['gift-card.created', 1000],
      ['gift-card.updated', 700],
    ]);
  });

  it('that have not changed publish no event', async () => {
    const stored = await merchant.stored({ number: freshNumber(), pin: '01000' });

    const { balances } = await check([{ id: stored.id }]);

    const { balanceUpdatedAt, ...before } = stored;
    expect(balances[0]?.giftCard).toMatchObject(before);
    expect(balances[0]?.giftCard?.['balanceUpdatedAt']).not.toBe(balanceUpdatedAt);
    expect(await merchant.events(stored.id)).toHaveLength(1);
  });

  it('have an error code each where the provider declines or gives no answer, and stored ones stay unchanged', async () => {
    const stored = await merchant.stored({ number: freshNumber(), pin: '01000' });
    harness.provider.failNext('error_after_work');

    const lost = await check([{ id: stored.id }]);
    const refused = await check([
      { number: freshNumber(), pin: '10000' },
      { number: freshNumber(), pin: '0200' },
    ]);

    expect(lost.balances).toMatchObject([
      {
        giftCard: { id: stored.id },
        balance: null,
        balanceErrorCode: 'SERVICE_ERROR',
        balanceRawErrorCode: null,
      },
    ]);
    expect(refused.balances).toMatchObject([
      { balance: null, balanceErrorCode: 'INVALID_GIFT_CARD', balanceRawErrorCode: 'invalid_gift_card' },
      { balance: 200, balanceErrorCode: null },
    ]);
    expect(await merchant.read(stored.id)).toEqual(stored);
  });

  it.each([
    ['none', [], ['input.giftCards']],
    [
      'more than ten',
      Array.from({ length: 11 }, () => ({ number: '9000000000000001', pin: '01' })),
      ['input.giftCards'],
    ],
    [
      'half a reference each',
      [{}, { number: '9000000000000001' }, { id: 'x', pin: '01' }, { id: 'x' }, { number: '9', pin: '!' }],
      ['0', '1', '2', '3.id', '4.number', '4.pin'].map((at) => `input.giftCards.${at}`),
    ],
  ])('are refused for %s', async (_, giftCards, paths) => {
    const before = harness.provider.calls.length;
    const { balances, userErrors } = await check(giftCards);

    expect(balances).toEqual([]);
    expect(userErrors.map(({ code, path }) => [code, path.join('.')])).toEqual(
      paths.map((path) => ['INVALID_INPUT', path]),
    );
    expect(harness.provider.calls).toHaveLength(before);
  });

  it('are refused for the card of another merchant account', async () => {
    const stored = await merchant.stored({ number: freshNumber(), pin: '01000' });
    const mine = await rival.stored({ number: freshNumber(), pin: '01000' });

    expect(await check([{ id: mine.id }, { id: stored.id }], rival)).toMatchObject({
      balances: [],
      userErrors: [{ code: 'NOT_FOUND', path: ['input', 'giftCards', '1', 'id'] }],
    });
  });
});

describe('gift cards for a payment', () => {
  it('are opened in the given order, stored and not, and a repeated number is found', async () => {
    const [number, other] = [freshNumber(), freshNumber()];
    const { id } = await merchant.stored({ number, pin: '01000' });

    const cards = await resolved({ number: other, pin: '01' }, { id }, { number, pin: '02' });

    expect(cards).toMatchObject([
      { giftCard: null, secrets: { number: other, pin: '01' }, lastFour: other.slice(-4) },
      { giftCard: { id }, secrets: { number, pin: '01000' } },
      { giftCard: null, secrets: { number, pin: '02' } },
    ]);
    expect(
      cards.map(({ giftCard }) => giftCard && Object.keys(giftCard).some((key) => /sealed/.test(key))),
    ).toEqual([null, false, null]);
    expect(repeatedGiftCards(cards, ['input', 'giftCards']).map(({ path }) => path)).toEqual([
      ['input', 'giftCards', '2'],
    ]);
  });

  it('are at most ten, of this merchant account, and not deleted', async () => {
    const { id } = await merchant.stored({ number: freshNumber(), pin: '01000' });
    await merchant.ask('mutation ($id: ID!) { answer: deleteGiftCard(id: $id) { deletedId } }', { id });
    const { id: theirs } = await rival.stored({ number: freshNumber(), pin: '01000' });

    expect(await resolve([{ id }, { id: theirs }])).toMatchObject({
      refusals: [
        { kind: 'NotFound', path: ['input', 'giftCards', '0', 'id'] },
        { kind: 'NotFound', path: ['input', 'giftCards', '1', 'id'] },
      ],
    });
    expect(await resolve(Array.from({ length: 11 }, () => ({ id })))).toMatchObject({
      refusals: [{ kind: 'InvalidInput', path: ['input', 'giftCards'] }],
    });
  });

  it('lose no use and no money of 16 concurrent records, and get returned money back', async () => {
    const { app } = harness.server;
    const { id } = await merchant.stored({ number: freshNumber(), pin: '01000' });
    const usedAt = harness.clock.now();
    const use = { merchantAccountId: merchant.id, id, amount: 10, buyerInitiated: true, usedAt };

    await Promise.all(
      Array.from({ length: 16 }, () => app.db.transaction((tx) => recordGiftCardUse(app, tx, use))),
    );
    const back = { merchantAccountId: merchant.id, id, amount: 10, returnedAt: usedAt };
    await app.db.transaction((tx) => recordGiftCardReturn(app, tx, back));

    expect(await merchant.read(id)).toMatchObject({ usageCount: 16, citUsageCount: 16, balance: 850 });
    expect(await merchant.events(id)).toHaveLength(18);
  });

  it('do not replace a new answer by an old one', async () => {
    const { app } = harness.server;
    const { id } = await merchant.stored({ number: freshNumber(), pin: '01000' });
    const requestedAt = harness.clock.now();
    const usedAt = new Date(requestedAt.getTime() + 1);
    const use = { merchantAccountId: merchant.id, id, amount: 10, buyerInitiated: false, usedAt };
    const news = { merchantAccountId: merchant.id, id, expiresAt: null, requestedAt };
    await app.db.transaction((tx) => recordGiftCardUse(app, tx, use));

    const balance = { amount: 1000, currency: 'USD' };
    const card = await app.db.transaction((tx) => updateGiftCardBalance(app, tx, { ...news, balance }));

    expect(card).toMatchObject({ balance: 990, usageCount: 1, citUsageCount: 0, citLastUsedAt: null });
    expect(await merchant.read(id)).toMatchObject({ balance: 990 });
  });

  it('that were deleted meanwhile are left alone', async () => {
    const { app } = harness.server;
    const { id } = await merchant.stored({ number: freshNumber(), pin: '01000' });
    await merchant.ask('mutation ($id: ID!) { answer: deleteGiftCard(id: $id) { deletedId } }', { id });
    const usedAt = harness.clock.now();
    const use = { merchantAccountId: merchant.id, id, amount: 10, buyerInitiated: true, usedAt };

    await app.db.transaction((tx) => recordGiftCardUse(app, tx, use));

    expect((await merchant.events(id)).map(([name]) => name)).toEqual([
      'gift-card.created',
      'gift-card.deleted',
    ]);
  });
});
