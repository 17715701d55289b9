import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startPresentedCardSweeper } from '../../src/modules/payment-methods/index.ts';
import { CARD, startHarness, type Harness } from '../transactions/harness.ts';
import {
  BIN,
  CANDIDATES,
  cardOf,
  LAST_FOUR,
  LIMIT,
  openShop,
  pay,
  REFUSED,
  STORE,
  store,
  VICTIM,
  type Shop,
  type Stored,
} from './guessing-shop.ts';

const DAY_MS = 86_400_000;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const rowsOf = async ({ id: merchantAccountId }: Shop) => {
  const where = { where: { merchantAccountId } };
  const { prisma } = harness.server.app.db;
  return {
    methods: await prisma.paymentMethod.count(where),
    payments: await prisma.transaction.count(where),
  };
};

describe('a token that guesses a card number', () => {
  it('without the scope for fingerprints sees none, and is stopped after ten stored candidates', async () => {
    const shop = await openShop(harness);
    const { paymentMethod } = await store(shop, VICTIM);
    const answers = [];
    for (const candidate of CANDIDATES) answers.push(await store(shop, candidate));
    const read = 'query ($id: ID!) { paymentMethod(id: $id) { bin lastFour fingerprint } }';
    const shown = await harness.server.graphql(read, { id: paymentMethod?.id }, { token: shop.token });

    const filter = { fingerprint: 'x' };
    const { body } = await harness.server.graphql(
      'query ($filter: PaymentMethodFilter) { paymentMethods(filter: $filter) { nodes { id } } }',
      { filter },
      { token: shop.token },
    );

    expect(shown.body.data).toEqual({ paymentMethod: { bin: BIN, lastFour: LAST_FOUR, fingerprint: null } });
    expect(shown.body.errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN', requiredScopes: [['card-fingerprints.read']] } },
    ]);
    expect(body.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect(answers.filter((answer) => answer.paymentMethod)).toHaveLength(LIMIT - 1);
    expect(answers.at(-1)?.userErrors).toMatchObject([
      { code: REFUSED, path: ['input', 'instrument', 'card', 'number'] },
    ]);
    expect(await rowsOf(shop)).toEqual({ methods: LIMIT, payments: 0 });
  });

  it('is stopped when it pays, before the provider is called, and when it mixes both', async () => {
    const shop = await openShop(harness);
    const calls = harness.provider.calls.length;
    for (const candidate of CANDIDATES.slice(0, 4)) await store(shop, candidate);
    const answers = [];
    for (const candidate of CANDIDATES.slice(4, 40))
      answers.push(await pay(shop, { card: cardOf(candidate) }));

    expect(answers.filter(({ transaction }) => transaction)).toHaveLength(LIMIT - 4);
    expect(answers.at(-1)).toMatchObject({
      transaction: null,
      userErrors: [{ code: REFUSED, path: ['input', 'paymentMethod', 'card', 'number'] }],
    });
    expect(harness.provider.calls.length - calls).toBe(LIMIT - 4);
    expect(await rowsOf(shop)).toEqual({ methods: 4, payments: LIMIT - 4 });
  });

  it('is stopped when it sends everything at once', async () => {
    const shop = await openShop(harness);

    const answers = await Promise.all(CANDIDATES.slice(0, 60).map((candidate) => store(shop, candidate)));

    expect(answers.filter(({ paymentMethod }) => paymentMethod)).toHaveLength(LIMIT);
    expect(await rowsOf(shop)).toEqual({ methods: LIMIT, payments: 0 });
  });

  it('may go on after a day', async () => {
    const shop = await openShop(harness);
    for (const candidate of CANDIDATES.slice(0, LIMIT + 1)) await store(shop, candidate);
    const refused = await store(shop, VICTIM);
    harness.clock.advance(DAY_MS + 60_000);
    const token = await harness.server.mint({ merchantAccountId: shop.id });

    const stored = await store({ ...shop, token }, VICTIM);

    expect(refused.userErrors[0]?.retryAfterSeconds).toBeGreaterThan(86_000);
    expect(refused.userErrors[0]?.retryAfterSeconds).toBeLessThanOrEqual(86_400);
    expect(stored.userErrors).toEqual([]);
  });
});

it('an honest merchant stores and pays with one card as often as its buyer wants', async () => {
  const shop = await openShop(harness);
  for (let round = 0; round < LIMIT + 5; round++) {
    expect((await store(shop, VICTIM)).userErrors).toEqual([]);
    expect((await pay(shop, { card: cardOf(VICTIM) })).userErrors).toEqual([]);
  }
});

it('the counts are removed after their day', async () => {
  const shop = await openShop(harness);
  await store(shop, VICTIM);
  const { clock, server } = harness;
  const count = () =>
    server.app.db.prisma.presentedCard.count({
      where: { merchantAccountId: shop.id, since: { lte: clock.now() } },
    });
  const before = await count();
  clock.advance(DAY_MS + 1000);
  const sweeper = startPresentedCardSweeper(server.app);
  await sweeper.stop();

  expect([before, await count()]).toEqual([1, 0]);
});

describe('payments with card numbers of one BIN that fail', () => {
  let strict: Harness;
  beforeAll(async () => {
    strict = await startHarness('mock-card', { settings: { PAYGRAPH_CARD_FAILURES_PER_HOUR: '3' } });
  });
  afterAll(() => strict.stop());
  afterEach(() => strict.pass(3_700_000));

  const DECLINED = 200_011;
  const fail = async (): Promise<void> => {
    for (let round = 0; round < 3; round++) await strict.create({ amount: DECLINED });
  };

  it('are refused above the limit, before the provider is called', async () => {
    await fail();
    const since = await strict.since();

    const refused = await strict.create();

    expect(refused).toMatchObject({ transaction: null, userErrors: [{ code: REFUSED }] });
    expect(refused.userErrors[0]?.message).toContain('Try again after 3');
    expect(since.calls()).toEqual([]);
    expect(await since.eventNames()).toEqual([]);
  });

  it('do not hide the answer of an earlier request, and count anew after an hour', async () => {
    const first = await strict.create({}, 'earlier');
    await fail();

    const replayed = await strict.create({}, 'earlier');
    await strict.pass(3_700_000);
    const later = await strict.create();

    expect(replayed).toMatchObject({ replayed: true, transaction: { id: first.transaction?.id } });
    expect(later.transaction?.status).toBe('AUTHORIZATION_SUCCEEDED');
  });

  it('are not counted for a stored method and for another BIN', async () => {
    const made = await strict.ask<{ storePaymentMethod: Stored }>(STORE('id'), {
      input: { instrument: { card: cardOf(VICTIM) } },
    });
    const stored = { id: made.storePaymentMethod.paymentMethod?.id };
    for (let round = 0; round < 4; round++)
      await strict.create({ amount: DECLINED, paymentMethod: { stored } });
    const known = await strict.create({ paymentMethod: { card: { ...CARD, number: VICTIM } } });
    await fail();

    const other = await strict.create({ paymentMethod: { card: { ...CARD, number: '5555555555554444' } } });
    const same = await strict.create({ paymentMethod: { stored } });

    for (const { userErrors } of [known, other, same]) expect(userErrors).toEqual([]);
  });
});
