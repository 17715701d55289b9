import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BankScheme } from '../../src/connectors/interface/requests.ts';
import { sandboxBankAccounts } from '../../src/connectors/sandbox/simulator/bank-debits.ts';
import { acceptChanges } from '../../src/modules/transactions/settle/accept-rules.ts';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { createService, startHarness, type Harness, type Since } from './harness.ts';
import { GIVEN, stateOf } from './outcomes.ts';
import { historyOf } from './unresolved.ts';
import { inboundRows, inboxOf, until } from './inbox.ts';

const SECRET = 'whs_bank_payments_of_the_test';
const HOLDER = { firstName: 'Ada', lastName: 'Lovelace' };
const SEPA = { scheme: 'SEPA', accountNumber: 'DE89 3704 0044 0532 0130 00', accountHolder: HOLDER };
const ACH = {
  ...{ scheme: 'ACH', accountNumber: '000123456789', routingNumber: '110000000', accountType: 'CHECKING' },
  accountHolder: { companyName: 'Analytical Engines' },
};
const BACS = { scheme: 'BACS', accountNumber: '00012345', routingNumber: '108800', accountHolder: HOLDER };
const MANDATE = {
  ...{ reference: 'RENT-0007', text: 'I allow these debits.', acceptedAt: '2026-01-02T03:04:05.000Z' },
  ...{ ipAddress: '203.0.113.7', userAgent: 'Firefox' },
};

/** A payer of each scheme. */
const PAYERS = {
  ach: { bank: ACH, currency: 'USD' },
  sepa: { bank: SEPA, currency: 'EUR' },
  bacs: { bank: BACS, currency: 'GBP' },
};

/** The accounts of the sandbox whose debits settle and come back. */
const RETURNING = sandboxBankAccounts.filter(({ end }) => end === 'returns');

/** The normalised reason of each return, by the scheme's own code. */
const RETURN_REASONS: Readonly<Record<BankScheme, Readonly<Record<string, string>>>> = {
  ach: {
    ...{ R01: 'insufficient_funds', R02: 'canceled_payment_method' },
    ...{ R07: 'canceled_payment_method', R10: 'disputed_transaction' },
  },
  sepa: {
    ...{ AC04: 'canceled_payment_method', AM04: 'insufficient_funds' },
    ...{ MD01: 'canceled_payment_method', MD06: 'disputed_transaction' },
  },
  bacs: {
    ...{ '0': 'insufficient_funds', '1': 'canceled_payment_method' },
    ...{ B: 'canceled_payment_method', DDIC: 'disputed_transaction' },
  },
};

const BANK = `query ($id: ID!) { transaction(id: $id) {
  status method instrumentType country capturedAmount captureReversedAmount errorCode
  bank { scheme lastFour debitsOn creditorId mandateReference mandate { reference text acceptedAt ipAddress userAgent } }
  refundable { amount } } }`;

let harness: Harness;
let service: string;
let webhookUrl: string;
let since: Since;

beforeAll(async () => {
  harness = await startHarness();
  service = await createService(harness.server, harness.provider.url, {
    ...{ definitionId: 'mock-bank', currencies: ['EUR', 'GBP', 'USD'], countries: ['DE', 'GB', 'US'] },
    webhookSecret: SECRET,
  });
  webhookUrl = (await inboxOf(harness, service)).url;
});
afterAll(() => harness.stop());
beforeEach(async () => {
  since = await harness.since();
});

const debit = (bank: object, input: object = {}, key?: string) =>
  harness.create(
    {
      ...{ amount: 1000, currency: 'EUR', intent: 'CAPTURE', paymentServiceId: service },
      ...{ paymentMethod: { bank } },
      ...input,
    },
    key,
  );

async function debited(bank: object, input: object = {}): Promise<string> {
  const { transaction, userErrors } = await debit(bank, input);
  if (!transaction) throw new Error(JSON.stringify(userErrors));
  return transaction.id;
}

const shown = async (id: string) => (await harness.ask<{ transaction: unknown }>(BANK, { id })).transaction;

/** Lets time pass, so that reconciliation learns the bank's decision. */
async function decide(): Promise<void> {
  await harness.pass(61_000);
  await reconcileDue(harness.server.app);
}

describe('a bank payment', () => {
  it('is pending until the bank decides, and settles', async () => {
    const id = await debited({ ...SEPA, mandate: MANDATE });

    expect(await shown(id)).toEqual({
      ...{ status: 'CAPTURE_PENDING', method: 'bank', instrumentType: 'BANK', country: 'DE' },
      ...{ capturedAmount: 0, captureReversedAmount: 0, errorCode: null, refundable: { amount: 0 } },
      bank: {
        ...{ scheme: 'SEPA', lastFour: '3000', debitsOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
        ...{ creditorId: 'DE98ZZZ09999999999', mandateReference: 'RENT-0007', mandate: MANDATE },
      },
    });
    await decide();

    expect(await shown(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1000 });
    expect(since.calls()).toEqual(['authorize', 'status']);
    expect(await since.eventNames()).toEqual(['transaction.capture-pending', 'transaction.captured']);
  });

  it.each([
    ['ACH', ACH, 'USD', { country: 'US', bank: { creditorId: null, lastFour: '6789' } }],
    ['Bacs', BACS, 'GBP', { country: 'GB', bank: { creditorId: '123456', lastFour: '2345' } }],
  ])('debits an account of %s', async (_, bank, currency, expected) => {
    const id = await debited(bank, { currency });

    expect(await shown(id)).toMatchObject({ ...expected, status: 'CAPTURE_PENDING' });
  });

  it('announces the debit on a business day, for the notice to the payer', async () => {
    const id = await debited(SEPA);
    const { createdAt } = await harness.server.app.db.prisma.transaction.findFirstOrThrow({ where: { id } });
    const event = await harness.server.app.db.prisma.event.findFirstOrThrow({
      where: { name: 'transaction.capture-pending' },
      orderBy: { id: 'desc' },
    });
    const { target } = JSON.parse(event.payload) as { target: { bank: { debits_on: string } } };
    const { bank } = target;

    expect(bank).toMatchObject({ scheme: 'sepa', last_four: '3000', creditor_id: 'DE98ZZZ09999999999' });
    expect(bank).toMatchObject({ mandate_reference: expect.stringMatching(/^MND-[0-9A-F]{8}$/) });
    const day = new Date(bank.debits_on);
    expect(day.getTime()).toBeGreaterThan(createdAt.getTime());
    expect([1, 2, 3, 4, 5]).toContain(day.getUTCDay());
  });

  it.each([
    ['DE62370400440532013001', 'insufficient_funds', 'AM04'],
    ['DE35370400440532013002', 'canceled_payment_method', 'AC04'],
    ['DE08370400440532013003', 'unknown_payment_method', 'AC01'],
  ])('with the account %s fails later with %s', async (accountNumber, errorCode, code) => {
    const id = await debited({ ...SEPA, accountNumber });
    await decide();

    expect(await shown(id)).toMatchObject({ status: 'AUTHORIZATION_DECLINED', capturedAmount: 0, errorCode });
    expect(await harness.transaction(id)).toMatchObject({ rawResponseCode: code });
  });

  it.each(
    RETURNING.map(
      ({ scheme, code, accountNumber }) => [`${scheme} with ${code}`, scheme, code, accountNumber] as const,
    ),
  )('comes back by %s after it settled', async (_, scheme, code, accountNumber) => {
    const { bank, currency } = PAYERS[scheme];
    const id = await debited({ ...bank, accountNumber }, { currency });
    await decide();
    expect(await shown(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1000 });

    expect(await harness.provider.takeBack(webhookUrl, SECRET, 2)).toEqual([200, 200]);
    await until(async () =>
      (await inboundRows(harness)).every(({ state }) => state !== 'parked') ? true : null,
    );

    expect(await shown(id)).toMatchObject({ capturedAmount: 0, captureReversedAmount: 1000 });
    expect((await since.eventNames()).filter((name) => name === 'transaction.capture-reversed')).toHaveLength(
      1,
    );
    expect(await historyOf(harness, id)).toContainEqual(
      expect.objectContaining({
        name: 'payment-connector-capture-reversed',
        context: expect.objectContaining({
          ...{ code: RETURN_REASONS[scheme][code], raw_response_code: code },
          ...{ amount: 1000, currency },
        }),
      }),
    );
  });

  it('comes back for every reason that the table of reasons expects', () => {
    const reasons = Object.entries(RETURN_REASONS).flatMap(([scheme, codes]) =>
      Object.keys(codes).map((code) => `${scheme} ${code}`),
    );

    expect(RETURNING.map(({ scheme, code }) => `${scheme} ${code}`).toSorted()).toEqual(reasons.toSorted());
  });

  it('refunds what has settled', async () => {
    const id = await debited(SEPA);
    await decide();

    expect((await harness.refund(id, { amount: 400 })).operation).toMatchObject({ status: 'SUCCEEDED' });
    expect(await shown(id)).toMatchObject({ refundable: { amount: 600 } });
  });
});

describe('the account number', () => {
  it('is sealed while the payment is open, and stays nowhere afterwards', async () => {
    harness.provider.failNext('lose_request');
    const id = await debited(SEPA);
    const find = () =>
      harness.server.app.db.prisma.operation.findFirstOrThrow({ where: { transactionId: id } });
    const { sealedCard } = await find();
    expect(sealedCard).toEqual(expect.any(String));

    await decide();

    expect(await find()).toMatchObject({ sealedCard: null, status: 'pending' });
    const [{ text } = { text: '' }] = await harness.server.app.db.prisma.$queryRaw<{ text: string }[]>`
      SELECT concat(t::text, o::text) AS text FROM transaction t JOIN operation o ON o.transaction_id = t.id
      WHERE t.id = ${id}::uuid`;
    expect(text).not.toContain('DE89370400440532013000');
    const [first, second] = harness.provider.calls.slice(-2);
    expect(second).toEqual(first);
  });

  it('that is the same answers a repeated key, and another one does not', async () => {
    const key = randomUUID();
    const { transaction } = await debit(SEPA, {}, key);
    expect(await debit({ ...SEPA, accountNumber: 'DE89370400440532013000' }, {}, key)).toMatchObject({
      ...{ replayed: true, transaction: { id: transaction?.id } },
    });
    expect(
      (await debit({ ...SEPA, accountNumber: 'DE35370400440532013002' }, {}, key)).userErrors,
    ).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
  });
});

describe('a stored bank account', () => {
  const store = async (bank: object): Promise<string> => {
    const { stored } = await harness.ask<{ stored: { paymentMethod: { id: string } | null } }>(
      `mutation ($input: StorePaymentMethodInput!) {
        stored: storePaymentMethod(input: $input) { paymentMethod { id } userErrors { message } } }`,
      { input: { instrument: { bankAccount: bank } } },
    );
    return stored.paymentMethod?.id ?? '';
  };

  it('pays, with its mandate', async () => {
    const id = await store({ ...SEPA, mandate: MANDATE });
    const payment = await debited({}, { paymentMethod: { stored: { id } } });
    await decide();

    expect(await shown(payment)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', instrumentType: 'BANK', country: 'DE' },
      bank: { lastFour: '3000', mandate: MANDATE },
    });
  });

  it('is stored by a payment, and pays again', async () => {
    const first = await debited({ ...SEPA, mandate: MANDATE }, { store: true });
    await decide();
    const { paymentMethodId } = await harness.server.app.db.prisma.transaction.findFirstOrThrow({
      where: { id: first },
    });
    const input = { paymentMethod: { stored: { id: paymentMethodId } } };

    expect(await shown(await debited({}, input))).toMatchObject({ bank: { mandateReference: 'RENT-0007' } });
  });

  it('pays by the token of its provider, also when the request is lost', async () => {
    const first = await debited({ ...SEPA, mandate: MANDATE }, { store: true });
    await decide();
    const { db } = harness.server.app;
    const { paymentMethodId } = await db.prisma.transaction.findFirstOrThrow({ where: { id: first } });
    const { id: key } = await db.prisma.operation.findFirstOrThrow({ where: { transactionId: first } });
    const inbox = await inboxOf(harness, service);
    await inbox.tell(
      { event: 'recurring_token.created', idempotency_key: key, recurring_token: 'tok_1' },
      SECRET,
    );
    await until(async () => ((await db.prisma.paymentMethodToken.count()) === 1 ? true : null));
    harness.provider.failNext('lose_request');
    const again = await debited(
      {},
      {
        ...{ paymentMethod: { stored: { id: paymentMethodId } }, merchantInitiated: true },
        ...{ paymentSource: 'RECURRING', isSubsequentPayment: true },
      },
    );
    await decide();

    const [lost, sent] = harness.provider.calls.slice(-2);
    expect(sent).toEqual(lost);
    expect(sent).toMatchObject({ operation: 'authorize', token: 'tok_1' });
    expect(await shown(again)).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
  });

  it('of one country pays in another', async () => {
    const id = await store(SEPA);

    expect(
      await shown(await debited({}, { paymentMethod: { stored: { id } }, country: 'GB' })),
    ).toMatchObject({
      ...{ status: 'CAPTURE_PENDING', country: 'GB' },
    });
  });

  it('names its payment service', async () => {
    const id = await store(SEPA);
    const input = { paymentMethod: { stored: { id } }, paymentServiceId: null };

    expect((await debit({}, input)).userErrors).toMatchObject([
      { code: 'INVALID_INPUT', path: ['input', 'paymentServiceId'] },
    ]);
  });
});

it('announces the debit when the provider names the day only later', () => {
  const state = stateOf(
    { kind: 'authorize', acceptedAt: new Date(0), decisionUntil: new Date(1) },
    {
      ...{ status: 'capture_pending', intent: 'capture', method: 'bank', instrumentType: 'bank' },
      bank: { scheme: 'sepa', lastFour: '3000', mandate: null, debit: null },
    },
  );
  const debit = { debitsOn: '2026-05-04', creditorId: 'DE98', mandateReference: null };
  const outcome = {
    kind: 'accepted',
    reference: 'pay_1',
    debit,
    rawResponseCode: null,
    rawResponseDescription: null,
  } as const;
  const given = { ...GIVEN, awaited: null, decisionWindowMs: 14 * 24 * 3_600_000, toldWithinMs: 0 };
  const changes = acceptChanges(state, outcome, given);

  expect(changes?.transaction).toMatchObject({ bank: { debit }, status: 'capture_pending' });
  expect(changes?.events.map(({ name }) => name)).toEqual(['transaction.capture-pending']);
  expect(changes?.operation.acceptedAt).toEqual(new Date(0));
  const announced = { ...state, transaction: { ...state.transaction, ...changes?.transaction } };
  expect(acceptChanges(announced, outcome, given)).toBeNull();
});

describe('refuses', () => {
  it.each([
    ['no payment service', SEPA, { paymentServiceId: null }, ['paymentServiceId']],
    ['another currency', SEPA, { currency: 'USD' }, ['currency']],
    [
      'an IBAN with wrong check digits',
      { ...SEPA, accountNumber: 'DE88370400440532013000' },
      {},
      ['paymentMethod', 'bank', 'accountNumber'],
    ],
    [
      'a routing number with a wrong check digit',
      { ...ACH, routingNumber: '110000001' },
      { currency: 'USD' },
      ['paymentMethod', 'bank', 'routingNumber'],
    ],
    [
      'ACH without a kind of account',
      { ...ACH, accountType: null },
      { currency: 'USD' },
      ['paymentMethod', 'bank', 'accountType'],
    ],
    [
      'a holder without a name',
      { ...SEPA, accountHolder: { firstName: 'Ada' } },
      {},
      ['paymentMethod', 'bank', 'accountHolder'],
    ],
    [
      'a mandate of the future',
      { ...SEPA, mandate: { ...MANDATE, acceptedAt: '2999-01-01T00:00:00Z' } },
      {},
      ['paymentMethod', 'bank', 'mandate', 'acceptedAt'],
    ],
    [
      'a mandate with a strange reference',
      { ...SEPA, mandate: { ...MANDATE, reference: 'RENT 7' } },
      {},
      ['paymentMethod', 'bank', 'mandate', 'reference'],
    ],
    ['an authentication', SEPA, { threeDSecure: { request: 'ALWAYS' } }, ['threeDSecure', 'request']],
    ['an intent to authorise', SEPA, { intent: 'AUTHORIZE' }, ['intent']],
  ])('%s', async (_, bank, input, path) => {
    const { transaction, userErrors } = await debit(bank, input);

    expect(transaction).toBeNull();
    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', ...path] }]);
    expect(JSON.stringify(userErrors)).not.toMatch(/\d{8}/);
    expect(since.calls()).toEqual([]);
  });

  it('a payment service that debits no accounts', async () => {
    const card = await createService(harness.server, harness.provider.url, { currencies: ['EUR'] });

    expect((await debit(SEPA, { paymentServiceId: card })).userErrors).toMatchObject([
      { code: 'NO_PAYMENT_SERVICE' },
    ]);
  });
});

it.each(['claimed', 'called', 'accepting', 'accepted', 'settling', 'settled'])(
  'survives a crash when %s, and debits once',
  async (point) => {
    const crash = { pending: true };
    const clear = setFailpoint(`authorize.${point}`, () => {
      if (!crash.pending) return;
      crash.pending = false;
      throw new Error('The process of the test ends here');
    });
    const before = harness.provider.calls.length;
    await debit(SEPA).catch(() => null);
    for (let times = 0; times < 3; times += 1) await decide().catch(() => null);
    clear();

    expect(crash.pending).toBe(false);
    const { id } = await harness.server.app.db.prisma.transaction.findFirstOrThrow({
      orderBy: { id: 'desc' },
    });
    expect(await shown(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1000 });
    const asked = harness.provider.calls.slice(before).filter(({ operation }) => operation === 'authorize');
    expect(new Set(asked.map((call) => JSON.stringify(call))).size).toBe(1);
  },
);
