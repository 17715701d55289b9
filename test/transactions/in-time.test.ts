import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CARD, startHarness, type Harness, type Payload } from './harness.ts';

let harness: Harness;
/**
 * A payment service whose buyer must approve. The other service comes first, so tests name this service by its id.
 */
let waiting: string;
let token: string;
let callsBefore: number;

beforeAll(async () => {
  harness = await startHarness();
  token = harness.server.token;
  const { body } = await harness.server.graphql<{ createPaymentService: { paymentService: { id: string } } }>(
    `mutation ($input: CreatePaymentServiceInput!) {
      createPaymentService(input: $input) { paymentService { id } userErrors { message path } } }`,
    {
      input: {
        displayName: 'Waits for the buyer',
        paymentServiceDefinitionId: 'mock-acquirer',
        fields: [
          { key: 'merchant_id', value: 'test' },
          { key: 'api_url', value: harness.provider.url },
        ],
        acceptedCurrencies: ['USD'],
        acceptedCountries: ['US'],
      },
    },
  );
  waiting = body.data?.createPaymentService.paymentService.id ?? '';
});
afterAll(() => harness.stop());
beforeEach(() => {
  callsBefore = harness.provider.calls.length;
});

type Given = Readonly<Record<string, unknown>>;

async function create(given: Given, key?: string): Promise<Payload> {
  const input = { amount: 1299, currency: 'USD', paymentMethod: { card: CARD }, ...given };
  const { body } = await harness.server.graphql<{ payload: Payload }>(
    `mutation ($input: CreateTransactionInput!, $key: String) {
      payload: createTransaction(input: $input, idempotencyKey: $key) {
        transaction { id status approvalExpiresAt } userErrors { code path message } replayed } }`,
    { input, key },
    { token },
  );
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.payload;
}

/** Reads the stored end of the buyer's time. The API shows it only while the buyer is awaited. */
async function storedExpiryOf(shown: Payload['transaction']): Promise<Date | null | undefined> {
  expect(shown).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', approvalExpiresAt: null });
  const { prisma } = harness.server.app.db;
  const row = await prisma.transaction.findFirst({ where: { id: shown?.id ?? '' } });
  return row?.approvalExpiresAt;
}

/** Advances the clock and takes a valid token. */
async function pass(ms: number): Promise<void> {
  harness.clock.advance(ms);
  token = await harness.server.mint();
}

const HOUR = 3_600_000;
const inMs = (ms: number): Date => new Date(harness.clock.now().getTime() + ms);
const unix = (moment: Date): number => Math.floor(moment.getTime() / 1000);
const option = (seconds: unknown): Given => ({
  connectionOptions: { 'mock-acquirer': { payment_method_expires_at: seconds } },
});

const count = async () => harness.server.app.db.prisma.transaction.count();
const callsSince = () => harness.provider.calls.slice(callsBefore);

describe('the time to approve', () => {
  const wait = (given: Given, key?: string) => create({ paymentServiceId: waiting, ...given }, key);

  it('is the default of the definition when none is given', async () => {
    const from = harness.clock.now();

    const { transaction } = await wait({});

    const lasts = Number(await storedExpiryOf(transaction)) - from.getTime();
    expect(lasts).toBeGreaterThanOrEqual(HOUR);
    expect(lasts).toBeLessThan(HOUR + 60_000);
  });

  it('is the given time, to the millisecond', async () => {
    const approvalExpiresAt = inMs(71 * HOUR);

    const { transaction } = await wait({ approvalExpiresAt: approvalExpiresAt.toISOString() });

    expect(await storedExpiryOf(transaction)).toEqual(approvalExpiresAt);
  });

  it('comes from the connector’s option first', async () => {
    const seconds = unix(inMs(100 * HOUR));

    const { transaction } = await wait({ approvalExpiresAt: inMs(HOUR).toISOString(), ...option(seconds) });

    expect(await storedExpiryOf(transaction)).toEqual(new Date(seconds * 1000));
  });

  it.each<[string, () => Given, string, string]>([
    [
      'beyond the maximum',
      () => ({ approvalExpiresAt: inMs(73 * HOUR).toISOString() }),
      'input.approvalExpiresAt',
      'The chosen payment service allows at most 72 hours from now.',
    ],
    [
      'in the past',
      () => ({ approvalExpiresAt: inMs(-1).toISOString() }),
      'input.approvalExpiresAt',
      'Must be in the future.',
    ],
    [
      'in the past, by the option',
      () => option(1),
      'input.connectionOptions.mock-acquirer.payment_method_expires_at',
      'Must be a moment in the future, in whole unix seconds.',
    ],
  ])('is refused %s, nothing is stored, and no key is used up', async (_, given, path, message) => {
    const before = await count();
    const key = `too late: ${path} ${message}`;

    const payload = await wait(given(), key);

    expect(payload.userErrors).toEqual([{ code: 'INVALID_INPUT', path: path.split('.'), message }]);
    expect(await count()).toBe(before);
    expect(callsSince()).toHaveLength(0);
    expect(await wait({}, key)).toMatchObject({ userErrors: [], replayed: false });
  });

  it('must be in the future even without an approval, and is not stored there', async () => {
    const far = await create({ approvalExpiresAt: inMs(1_000 * HOUR).toISOString() });
    const past = await create({ approvalExpiresAt: inMs(-1).toISOString() });

    expect(await storedExpiryOf(far.transaction)).toBeNull();
    expect(past.userErrors).toMatchObject([{ path: ['input', 'approvalExpiresAt'] }]);
  });

  it.each<[string, () => Given, readonly string[]]>([
    ['moment', () => ({ approvalExpiresAt: inMs(HOUR).toISOString() }), ['input', 'approvalExpiresAt']],
    [
      'option',
      () => option(unix(inMs(HOUR))),
      ['input', 'connectionOptions', 'mock-acquirer', 'payment_method_expires_at'],
    ],
  ])('refuses a new payment after the %s, but answers a repeat', async (what, given, path) => {
    const input = given();
    const first = await wait(input, `in time: ${what}`);

    await pass(2 * HOUR);

    expect(first.userErrors).toEqual([]);
    expect(await wait(input, `in time: ${what}`)).toEqual({ ...first, replayed: true });
    expect((await wait(input, `late: ${what}`)).userErrors).toMatchObject([{ path }]);
    expect((await wait(input)).userErrors).toMatchObject([{ path }]);
    expect(callsSince()).toHaveLength(1);
  });
});

describe('a card that has expired', () => {
  it('refuses a new payment, but answers the repeat of an earlier one', async () => {
    const now = harness.clock.now();
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
    await pass(Date.UTC(year, month + 1, 1) - now.getTime() - HOUR);
    const expirationDate = `${String(month + 1).padStart(2, '0')}/${String(year).slice(2)}`;
    const input = { paymentMethod: { card: { ...CARD, expirationDate } } };
    const first = await create(input, 'last hour');

    await pass(2 * HOUR);

    expect(first.userErrors).toEqual([]);
    expect(await create(input, 'last hour')).toEqual({ ...first, replayed: true });
    expect((await create(input, 'another hour')).userErrors).toMatchObject([
      { path: ['input', 'paymentMethod', 'card', 'expirationDate'] },
    ]);
    expect(callsSince()).toHaveLength(1);
  });
});
