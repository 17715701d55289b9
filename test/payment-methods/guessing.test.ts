import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { passesLuhn } from '../../src/kernel/card-number.ts';
import { startPresentedCardSweeper } from '../../src/modules/payment-methods/index.ts';
import { CARD, startHarness, type CreateInput, type Harness } from '../transactions/harness.ts';

/** The victim's card. Its first eight and last four digits are shown. */
const BIN = '41112233';
const LAST_FOUR = '4242';
const CANDIDATES = Array.from(
  { length: 10_000 },
  (_, at) => `${BIN}${String(at).padStart(4, '0')}${LAST_FOUR}`,
)
  .filter(passesLuhn)
  .slice(0, 320);
const [VICTIM = ''] = CANDIDATES.slice(200);

const DAY_MS = 86_400_000;
const LIMIT = 10;
const REFUSED = 'TOO_MANY_CARD_NUMBERS';

type UserError = {
  readonly code: string;
  readonly path: readonly string[];
  readonly retryAfterSeconds?: number;
};
type Stored = {
  readonly paymentMethod: { readonly id: string; readonly fingerprint: string | null } | null;
  readonly userErrors: readonly UserError[];
};

const ERRORS = 'userErrors { code message path ... on TooManyCardNumbers { retryAfterSeconds } }';
const STORE = (fields: string): string =>
  `mutation ($input: StorePaymentMethodInput!, $key: String) {
    storePaymentMethod(input: $input, idempotencyKey: $key) { paymentMethod { ${fields} } ${ERRORS} } }`;

const cardOf = (number: string) => ({ number, expirationDate: '03/30' });
const ATTACKER = ['payment-methods.read', 'payment-methods.write', 'transactions.read', 'transactions.write'];

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

/** Each test has an account of its own, with a payment service. */
type Shop = { readonly id: string; readonly token: string };

async function openShop(scopes = ATTACKER): Promise<Shop> {
  const { id, token } = await harness.server.createMerchantAccount();
  const input = {
    ...{ displayName: 'S', paymentServiceDefinitionId: 'mock-card', acceptedCurrencies: ['USD'] },
    ...{ acceptedCountries: ['US'], fields: FIELDS() },
  };
  const made = `mutation ($input: CreatePaymentServiceInput!) {
    createPaymentService(input: $input) { userErrors { message } } }`;
  await harness.server.graphql(made, { input }, { token });
  return { id, token: await harness.server.mint({ merchantAccountId: id, scopes }) };
}

const FIELDS = () => [
  { key: 'merchant_id', value: 'test' },
  { key: 'api_url', value: harness.provider.url },
];

async function store(shop: Shop, number: string, { fields = 'id', key = null as string | null } = {}) {
  const input = { instrument: { card: cardOf(number) } };
  const { body } = await harness.server.graphql<{ storePaymentMethod: Stored }>(
    STORE(fields),
    { input, key },
    { token: shop.token },
  );
  return {
    ...(body.data?.storePaymentMethod ?? { paymentMethod: null, userErrors: [] }),
    errors: body.errors,
  };
}

async function pay(shop: Shop, paymentMethod: object, more: CreateInput = {}, key: string | null = null) {
  const document = `mutation ($input: CreateTransactionInput!, $key: String) {
    createTransaction(input: $input, idempotencyKey: $key) { transaction { id status } ${ERRORS} replayed } }`;
  type Paid = {
    readonly transaction: { readonly id: string; readonly status: string } | null;
    readonly userErrors: readonly UserError[];
    readonly replayed: boolean;
  };
  const input = { amount: 1299, currency: 'USD', paymentMethod, ...more };
  const { body } = await harness.server.graphql<{ createTransaction: Paid }>(
    document,
    { input, key },
    { token: shop.token },
  );
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.createTransaction;
}

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
    const shop = await openShop();
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

  it('with the scope for fingerprints is stopped before it finds the number', async () => {
    const shop = await openShop([...ATTACKER, 'card-fingerprints.read']);
    const victim = await store(shop, VICTIM, { fields: 'id fingerprint' });
    const answers = [];
    for (const candidate of CANDIDATES)
      answers.push(await store(shop, candidate, { fields: 'id fingerprint' }));

    const seen = answers.flatMap(({ paymentMethod }) => paymentMethod?.fingerprint ?? []);
    expect(victim.paymentMethod?.fingerprint).toMatch(/^\S{20,}$/);
    expect(seen).toHaveLength(LIMIT - 1);
    expect(seen).not.toContain(victim.paymentMethod?.fingerprint);
    // The right number is refused like the others.
    expect((await store(shop, VICTIM)).userErrors).toMatchObject([{ code: REFUSED }]);
  });

  it('is stopped when it pays, before the provider is called, and when it mixes both', async () => {
    const shop = await openShop();
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
    const shop = await openShop();

    const answers = await Promise.all(CANDIDATES.slice(0, 60).map((candidate) => store(shop, candidate)));

    expect(answers.filter(({ paymentMethod }) => paymentMethod)).toHaveLength(LIMIT);
    expect(await rowsOf(shop)).toEqual({ methods: LIMIT, payments: 0 });
  });

  it('learns nothing more from the idempotency key of the right number', async () => {
    const shop = await openShop();
    await store(shop, VICTIM, { key: 'known' });
    await pay(shop, { card: cardOf(VICTIM) }, {}, 'known');
    const stored = [];
    const paid = [];
    for (const candidate of CANDIDATES) {
      stored.push((await store(shop, candidate, { key: 'known' })).userErrors[0]?.code);
      paid.push((await pay(shop, { card: cardOf(candidate) }, {}, 'known')).userErrors[0]?.code);
    }

    for (const codes of [stored, paid]) {
      expect(codes.filter((code) => code === 'IDEMPOTENCY_KEY_REUSED')).toHaveLength(LIMIT - 1);
      expect(codes.slice(LIMIT - 1).every((code) => code === REFUSED)).toBe(true);
    }
  });

  it('may go on after a day', async () => {
    const shop = await openShop();
    for (const candidate of CANDIDATES.slice(0, LIMIT + 1)) await store(shop, candidate);
    const refused = await store(shop, VICTIM);
    harness.clock.advance(DAY_MS + 60_000);
    const token = await harness.server.mint({ merchantAccountId: shop.id });

    const stored = await store({ ...shop, token }, VICTIM);

    expect(refused.userErrors[0]?.retryAfterSeconds).toBeGreaterThan(86_000);
    expect(refused.userErrors[0]?.retryAfterSeconds).toBeLessThanOrEqual(86_400);
    expect(stored.userErrors).toEqual([]);
  });

  it('is stopped earlier at a number with fewer hidden digits', async () => {
    const shop = await openShop();
    const numbersOf = (bin: string, hidden: number): string[] =>
      Array.from({ length: 10 ** hidden }, (_, at) => `${bin}${String(at).padStart(hidden, '0')}0005`)
        .filter(passesLuhn)
        .slice(0, 8);
    const accepted = async (numbers: readonly string[]): Promise<number> => {
      let count = 0;
      for (const number of numbers) if ((await store(shop, number)).paymentMethod) count++;
      return count;
    };

    const amex = await accepted(numbersOf('37828224', 3));
    const diners = await accepted(numbersOf('38520000', 2));

    expect([amex, diners]).toEqual([3, 1]);
  });

  it('stops no other merchant account, and no card with other last digits', async () => {
    const [shop, other] = [await openShop(), await openShop()];
    for (const candidate of CANDIDATES.slice(0, LIMIT + 1)) await store(shop, candidate);

    const elsewhere = await store(other, VICTIM);
    const neighbour = await store(shop, '4111223300000006');

    expect([elsewhere.userErrors, neighbour.userErrors]).toEqual([[], []]);
  });
});

it('an honest merchant stores and pays with one card as often as its buyer wants', async () => {
  const shop = await openShop();
  for (let round = 0; round < LIMIT + 5; round++) {
    expect((await store(shop, VICTIM)).userErrors).toEqual([]);
    expect((await pay(shop, { card: cardOf(VICTIM) })).userErrors).toEqual([]);
  }
});

it('the counts are removed after their day', async () => {
  const shop = await openShop();
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

it('`off` lifts both limits, and counts nothing', async () => {
  const open = await startHarness('mock-card', {
    settings: { PAYGRAPH_CARD_NUMBERS_PER_DAY: 'off', PAYGRAPH_CARD_FAILURES_PER_HOUR: 'off' },
  });
  const answers = [];
  for (const number of CANDIDATES.slice(0, 15))
    answers.push(await open.create({ amount: 200_011, paymentMethod: { card: cardOf(number) } }));

  expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual([]);
  expect(await open.server.app.db.prisma.presentedCard.count()).toBe(0);
  await open.stop();
});
