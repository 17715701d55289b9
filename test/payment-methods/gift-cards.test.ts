import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordGiftCardUse } from '../../src/modules/payment-methods/index.ts';
import {
  ERRORS,
  freshNumber,
  startGiftCardHarness,
  type GiftCard,
  type GiftCardHarness,
  type Merchant,
  type UserError,
} from './gift-card-harness.ts';
import { withoutRandom } from '../support/without-random.ts';

let harness: GiftCardHarness;
let merchant: Merchant;
let rival: Merchant;
let serviceId: string;

beforeAll(async () => {
  harness = await startGiftCardHarness();
  merchant = await harness.merchant();
  rival = await harness.merchant();
  serviceId = await merchant.service();
});
afterAll(() => harness.stop());

const ofBuyer = (filter: Record<string, unknown>, from = merchant) =>
  from.ask<readonly GiftCard[]>(
    `query ($buyerId: ID, $buyerExternalIdentifier: String, $sortBy: GiftCardSort, $orderBy: SortDirection! = DESC) {
      answer: buyerGiftCards(buyerId: $buyerId, buyerExternalIdentifier: $buyerExternalIdentifier, sortBy: $sortBy,
        orderBy: $orderBy) { id } }`,
    filter,
  );
const remove = (id: string, from = merchant) =>
  from.ask<{ readonly deletedId: string | null; readonly userErrors: readonly UserError[] }>(
    `mutation ($id: ID!) { answer: deleteGiftCard(id: $id) { deletedId ${ERRORS} } }`,
    { id },
  );
const rowOf = (id: string) =>
  harness.server.app.db.prisma.giftCard.findFirst({ where: { merchantAccountId: merchant.id, id } });
const idsOf = (cards: readonly { readonly id: string }[]): readonly string[] => cards.map(({ id }) => id);

describe('a gift card', () => {
  it('is stored with its provider’s data, sealed, and publishes an event', async () => {
    const buyerId = await merchant.buyer();
    const number = freshNumber();
    const spaced = number.replace(/(\d{4})/g, '$1 ');

    const card = await merchant.stored({ number: spaced, pin: '01234', buyerId });

    expect(card).toMatchObject({
      merchantAccountId: merchant.id,
      paymentService: { id: serviceId, displayName: 'Gift cards', method: 'gift-card' },
      buyer: { id: buyerId },
      ...{ bin: number.slice(0, 6), subBin: number.slice(6, 9), lastFour: number.slice(-4) },
      ...{ currency: 'USD', balance: 1234, expirationDate: '2099-12-31T23:59:59.000Z' },
      ...{ lastUsedAt: null, usageCount: 0, citLastUsedAt: null, citUsageCount: 0 },
    });
    expect(await merchant.read(card.id)).toEqual(card);
    const row = await rowOf(card.id);
    expect(withoutRandom(JSON.stringify(row))).not.toMatch(new RegExp(`${number}|01234`));
    expect(row?.sealedNumber).toMatch(/^v\d/);
    expect(row?.sealedPin).toMatch(/^v\d/);
    expect(await merchant.events(card.id)).toEqual([
      [
        'gift-card.created',
        {
          ...{ type: 'gift-card', id: card.id, buyer_id: buyerId },
          ...{ bin: card['bin'], sub_bin: card['subBin'], last4: card['lastFour'] },
          ...{ currency: 'USD', balance: 1234 },
          ...{ created_at: card['createdAt'], updated_at: card.updatedAt },
        },
      ],
    ]);
  });

  it('may belong to a buyer by external identifier, and to no buyer', async () => {
    const buyerId = await merchant.buyer('gift-buyer');

    const first = await merchant.stored({
      ...{ number: freshNumber(), pin: '01', buyerExternalIdentifier: 'gift-buyer' },
    });
    const second = await merchant.stored({ number: freshNumber(), pin: '01' });

    expect([first['buyer'], second['buyer']]).toEqual([{ id: buyerId }, null]);
  });

  it('is looked up once, and not again for a repeated key', async () => {
    const input = { number: freshNumber(), pin: '01234' };
    const before = harness.provider.calls.length;

    const first = await merchant.store(input, 'once');
    const again = await merchant.store(input, 'once');

    expect(harness.provider.calls.slice(before).map(({ operation }) => operation)).toEqual(['balance']);
    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(again.giftCard).toEqual(first.giftCard);
    expect(await merchant.store({ ...input, pin: '01235' }, 'once')).toMatchObject({
      userErrors: [{ code: 'IDEMPOTENCY_KEY_REUSED' }],
    });
  });
});

describe('a gift card that is refused', () => {
  const refusals = async (input: Record<string, unknown>, from = merchant) => {
    const count = () => harness.server.app.db.prisma.giftCard.count();
    const before = await count();
    const { giftCard, userErrors } = await from.store(input);
    expect([giftCard, await count()]).toEqual([null, before]);
    return userErrors;
  };

  it.each([
    [
      'an unknown number or a wrong PIN',
      '10000',
      '1',
      'INVALID_GIFT_CARD',
      /no card with this number and PIN/,
    ],
    ['one that is not active', '10002', '1', 'INACTIVE_CARD', /not active/],
    ['one that its provider calls expired', '10001', '1', 'EXPIRED_CARD', /expired/],
    ['one that expired by its date', '01234', '0', 'EXPIRED_CARD', /expired/],
    ['wrong credentials', '30003', '1', 'INVALID_SERVICE_CREDENTIALS', /updatePaymentService/],
    ['an error of the provider', '20009', '1', 'SERVICE_ERROR', /gave no answer/],
  ])('is %s', async (_, pin, end, giftCardErrorCode, message) => {
    const number = freshNumber(end);
    const errors = await refusals({ number, pin });

    expect(errors).toMatchObject([
      { code: 'GIFT_CARD_REFUSED', giftCardErrorCode, path: ['input', 'number'] },
    ]);
    expect(errors[0]?.message).toMatch(message);
    expect(JSON.stringify(errors)).not.toContain(number);
  });

  it('has a provider without an answer, and the same key may be tried again', async () => {
    const input = { number: freshNumber(), pin: '01234' };
    harness.provider.failNext('lose_answer');

    expect(await merchant.store(input, 'lost')).toMatchObject({
      giftCard: null,
      userErrors: [{ code: 'GIFT_CARD_REFUSED', giftCardErrorCode: 'SERVICE_NETWORK_ERROR' }],
    });
    expect(await merchant.store(input, 'lost')).toMatchObject({
      giftCard: { balance: 1234 },
      replayed: false,
    });
  });

  it('gets all its faults at once, and its provider is not called', async () => {
    const before = harness.provider.calls.length;
    const errors = await refusals({
      ...{ number: '123456789012345', pin: '', buyerExternalIdentifier: '' },
    });

    expect(errors.map(({ code, path }) => [code, path.join('.')])).toEqual([
      ['INVALID_INPUT', 'input.number'],
      ['INVALID_INPUT', 'input.pin'],
      ['INVALID_INPUT', 'input.buyerExternalIdentifier'],
    ]);
    expect(JSON.stringify(errors)).not.toContain('123456789012345');
    expect(harness.provider.calls).toHaveLength(before);
  });

  it.each([
    ['of an unknown buyer', { buyerId: '01900000-0000-7000-8000-000000000000' }, 'NOT_FOUND', 'buyerId'],
    ['of a buyer with an invalid id', { buyerId: 'x' }, 'NOT_FOUND', 'buyerId'],
    [
      'of an unknown external identifier',
      { buyerExternalIdentifier: 'x' },
      'NOT_FOUND',
      'buyerExternalIdentifier',
    ],
    [
      'of two buyers',
      { buyerId: 'x', buyerExternalIdentifier: 'x' },
      'INVALID_INPUT',
      'buyerExternalIdentifier',
    ],
    ['of another service', { paymentServiceId: 'x' }, 'NOT_FOUND', 'paymentServiceId'],
  ])('is one %s', async (_, more, code, field) => {
    const errors = await refusals({ number: freshNumber(), pin: '01234', ...more });

    expect(errors).toMatchObject([{ code, path: ['input', field] }]);
  });

  it('belongs to a merchant account without a gift-card service, or to another account’s buyer', async () => {
    const input = { number: freshNumber(), pin: '01234' };
    expect(await refusals(input, rival)).toMatchObject([
      { code: 'INVALID_INPUT', path: ['input', 'paymentServiceId'] },
    ]);
    expect(await refusals({ ...input, paymentServiceId: serviceId }, rival)).toMatchObject([
      { code: 'NOT_FOUND' },
    ]);
    expect(await refusals({ ...input, buyerId: await rival.buyer() })).toMatchObject([{ code: 'NOT_FOUND' }]);
  });

  it('is one that the buyer has already, while another buyer may have it, too', async () => {
    const [buyerId, other] = [await merchant.buyer(), await merchant.buyer()];
    const input = { number: freshNumber(), pin: '01234' };
    const { id } = await merchant.stored({ ...input, buyerId });

    expect(await refusals({ ...input, buyerId })).toMatchObject([{ code: 'DUPLICATE', resourceId: id }]);
    await merchant.stored({ ...input, buyerId: other });
    await remove(id);
    await merchant.stored({ ...input, buyerId });
  });
});

describe('a buyer', () => {
  it('has at most 10 gift cards, even when more come at once', async () => {
    const buyerId = await merchant.buyer();
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => merchant.store({ number: freshNumber(), pin: '01234', buyerId })),
    );

    expect(answers.filter(({ giftCard }) => giftCard)).toHaveLength(10);
    expect(answers.flatMap(({ userErrors }) => userErrors.map(({ code, path }) => [code, path]))).toEqual(
      Array.from({ length: 4 }, () => ['INVALID_INPUT', ['input', 'buyerId']]),
    );
    expect(await ofBuyer({ buyerId })).toHaveLength(10);
  });

  it('has a card once, even when it comes several times at once', async () => {
    const buyerId = await merchant.buyer();
    const input = { number: freshNumber(), pin: '01234', buyerId };

    const answers = await Promise.all(Array.from({ length: 6 }, () => merchant.store(input)));

    const [winner, ...others] = answers.flatMap(({ giftCard }) => giftCard?.id ?? []);
    expect(others).toEqual([]);
    expect(answers.flatMap(({ userErrors }) => userErrors.map(({ resourceId }) => resourceId))).toEqual(
      Array.from({ length: 5 }, () => winner),
    );
  });

  it('does not see empty or expired cards, which make room for others', async () => {
    const buyerId = await merchant.buyer();
    const store = (pin: string) => merchant.stored({ number: freshNumber(), pin, buyerId });
    const usable = await Promise.all(Array.from({ length: 9 }, () => store('01234')));
    const expired = usable[0]?.id ?? '';
    await harness.server.app.db.prisma.giftCard.updateMany({
      where: { merchantAccountId: merchant.id, id: expired },
      data: { expirationDate: harness.clock.now() },
    });
    const empty = await store('0');

    // The expired card has made room for the empty one, which is hidden too.
    const shown = idsOf(usable.slice(1)).toSorted();
    expect(idsOf(await ofBuyer({ buyerId })).toSorted()).toEqual(shown);
    expect([await merchant.read(expired), await merchant.read(empty.id)]).toMatchObject([
      null,
      { balance: 0 },
    ]);
    await Promise.all([store('01234'), store('01234')]);

    expect(await ofBuyer({ buyerId })).toHaveLength(10);
    expect(await merchant.read(empty.id)).toBeNull();
    expect((await merchant.events(empty.id)).map(([name]) => name)).toEqual([
      'gift-card.created',
      'gift-card.deleted',
    ]);
  });

  it('loses its gift cards with its deletion', async () => {
    const buyerId = await merchant.buyer();
    const { id } = await merchant.stored({ number: freshNumber(), pin: '01234', buyerId });

    await merchant.ask('mutation ($id: ID!) { answer: deleteBuyer(id: $id) { deletedId } }', { id: buyerId });

    expect(await merchant.read(id)).toBeNull();
    expect(await rowOf(id)).toMatchObject({ sealedNumber: null, sealedPin: null, fingerprint: null });
    expect((await merchant.events(id)).map(([name]) => name)).toEqual([
      'gift-card.created',
      'gift-card.deleted',
    ]);
  });
});

describe('the gift cards of a buyer', () => {
  /** Uses of five cards, stored in this order: hours after a moment, and whether the buyer started the payment. */
  const USES: readonly (readonly (readonly [hour: number, buyerInitiated: boolean])[])[] = [
    [],
    [
      [9, false],
      [8, false],
      [7, false],
    ],
    [[5, true]],
    [
      [3, true],
      [2, true],
      [4, false],
    ],
    [],
  ];
  let buyerId: string;
  let ids: readonly string[];

  beforeAll(async () => {
    const { app } = harness.server;
    buyerId = await merchant.buyer('much-used');
    const made: string[] = [];
    for (const uses of USES) {
      const { id } = await merchant.stored({ number: freshNumber(), pin: '01000', buyerId });
      made.push(id);
      for (const [hour, buyerInitiated] of uses) {
        const usedAt = new Date(Date.UTC(2026, 0, 1, hour));
        const use = { merchantAccountId: merchant.id, id, amount: 1, buyerInitiated, usedAt };
        await app.db.transaction((tx) => recordGiftCardUse(app, tx, use));
      }
    }
    ids = made;
  });

  it.each([
    ['LAST_USED_AT', [1, 2, 3, 4, 0]],
    ['USAGE_COUNT', [3, 1, 2, 4, 0]],
    ['CIT_LAST_USED_AT', [2, 3, 4, 1, 0]],
    ['CIT_USAGE_COUNT', [3, 2, 4, 1, 0]],
    [null, [4, 3, 2, 1, 0]],
  ])('are sorted by %s, unused ones last, then the newest', async (sortBy, order) => {
    const expected = order.map((index) => ids[index]);

    expect(idsOf(await ofBuyer({ buyerId, sortBy }))).toEqual(expected);
    expect(idsOf(await ofBuyer({ buyerId, sortBy, orderBy: 'ASC' }))).toEqual(expected.toReversed());
    expect(idsOf(await ofBuyer({ buyerExternalIdentifier: 'much-used', sortBy }))).toEqual(expected);
    const { giftCards } = await merchant.ask<{ readonly giftCards: readonly { readonly id: string }[] }>(
      'query ($id: ID!, $sortBy: GiftCardSort) { answer: buyer(id: $id) { giftCards(sortBy: $sortBy) { id } } }',
      { id: buyerId, sortBy },
    );
    expect(idsOf(giftCards)).toEqual(expected);
  });

  it('have their uses counted, and redeemed amounts subtracted', async () => {
    expect(await merchant.read(ids[3] ?? '')).toMatchObject({
      ...{ usageCount: 3, lastUsedAt: '2026-01-01T04:00:00.000Z', balance: 997 },
      ...{ citUsageCount: 2, citLastUsedAt: '2026-01-01T03:00:00.000Z' },
    });
    expect((await merchant.events(ids[3] ?? '')).map(([name, { balance }]) => [name, balance])).toEqual([
      ['gift-card.created', 1000],
      ['gift-card.updated', 999],
      ['gift-card.updated', 998],
      ['gift-card.updated', 997],
    ]);
  });

  it('are empty for an unknown buyer, or one of another merchant account', async () => {
    expect(await ofBuyer({ buyerId: 'x' })).toEqual([]);
    expect(await ofBuyer({ buyerExternalIdentifier: 'x' })).toEqual([]);
    expect(await ofBuyer({ buyerId }, rival)).toEqual([]);
    expect(await ofBuyer({ buyerExternalIdentifier: 'much-used' }, rival)).toEqual([]);
  });

  it.each([[{}], [{ buyerId: 'x', buyerExternalIdentifier: 'x' }], [{ buyerExternalIdentifier: '' }]])(
    'are refused for %j',
    async (filter) => {
      await expect(ofBuyer(filter)).rejects.toThrow(/INVALID_INPUT/);
    },
  );
});

describe('the list of gift cards', () => {
  it('continues behind a cursor, newest first, and finds those of a buyer', async () => {
    const buyerId = await merchant.buyer('listed');
    const cards = [];
    for (const pin of ['01', '02', '0'])
      cards.push(await merchant.stored({ number: freshNumber(), pin, buyerId }));
    const expected = idsOf(cards).toReversed();
    type Page = { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
    const list = (filter: Record<string, unknown>, after: string | null = null, from = merchant) =>
      from.ask<Page>(
        `query ($filter: GiftCardFilter, $after: String) { answer: giftCards(first: 2, after: $after, filter: $filter) {
          nodes { id } pageInfo { hasNextPage endCursor } } }`,
        { filter, after },
      );

    const first = await list({ buyerId });
    const second = await list({ buyerExternalIdentifier: 'listed' }, first.pageInfo.endCursor);

    expect([...idsOf(first.nodes), ...idsOf(second.nodes)]).toEqual(expected);
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
    expect((await list({ buyerId }, null, rival)).nodes).toEqual([]);
    expect((await list({ buyerId: 'x' })).nodes).toEqual([]);
    expect((await list({})).nodes).toHaveLength(2);
  });
});

describe('a deleted gift card', () => {
  it('is erased, and a repeat returns the same, and another merchant account cannot delete it', async () => {
    const { id } = await merchant.stored({ number: freshNumber(), pin: '01234' });

    expect(await remove(id, rival)).toMatchObject({ deletedId: null, userErrors: [{ code: 'NOT_FOUND' }] });
    expect(await rival.read(id)).toBeNull();
    expect(await remove(id)).toEqual({ deletedId: id, userErrors: [] });
    expect(await remove(id.toUpperCase())).toEqual({ deletedId: id, userErrors: [] });

    expect(await merchant.read(id)).toBeNull();
    expect(await rowOf(id)).toMatchObject({ sealedNumber: null, sealedPin: null, fingerprint: null });
    expect((await merchant.events(id)).map(([name]) => name)).toEqual([
      'gift-card.created',
      'gift-card.deleted',
    ]);
  });
});
