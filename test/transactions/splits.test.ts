import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import {
  captureTransaction,
  listLedgerEntries,
  reconcileDue,
  refundTransaction,
} from '../../src/modules/transactions/index.ts';
import { relayAll } from '../support/relay-all.ts';
import { createService, startHarness, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
});
afterAll(() => harness.stop());

const SELLER = { kind: 'RECIPIENT', account: 'seller', amount: 1169, reference: 'S-1' };
const FEE = { kind: 'PLATFORM_FEE', amount: 130 };
const SPLITS = [SELLER, FEE];

const FIELDS = `splits { kind account amount reference capturedAmount refundedAmount }
  captures { splits { account amount } } refunds { splits { account amount } }`;

type Shown = {
  readonly splits: readonly { readonly capturedAmount: number; readonly refundedAmount: number }[] | null;
  readonly captures: readonly { readonly splits: readonly object[] | null }[];
  readonly refunds: readonly { readonly splits: readonly object[] | null }[];
};

async function shown(id: string): Promise<Shown> {
  const document = `query ($id: ID!) { transaction(id: $id) { ${FIELDS} } }`;
  return (await harness.ask<{ transaction: Shown }>(document, { id })).transaction;
}

async function paid(input: object = {}): Promise<string> {
  const { transaction, userErrors } = await harness.create({ splits: SPLITS, ...input });
  if (!transaction) throw new Error(JSON.stringify(userErrors));
  return transaction.id;
}

const lastCall = () => harness.provider.calls.at(-1);
const onWire = (seller: number, fee: number) => [
  { kind: 'recipient', account: 'seller', amount: seller, reference: 'S-1' },
  ...(fee > 0 ? [{ kind: 'platform_fee', account: null, amount: fee, reference: null }] : []),
];

describe('the splits of a payment', () => {
  it('go to the provider, and are shown', async () => {
    const id = await paid();
    expect(lastCall()?.splits).toEqual(onWire(1169, 130));
    expect((await shown(id)).splits).toEqual([
      { ...SELLER, capturedAmount: 0, refundedAmount: 0 },
      { ...FEE, account: null, reference: null, capturedAmount: 0, refundedAmount: 0 },
    ]);
  });

  it('stay in proportion over captures and refunds of parts, to the last minor unit', async () => {
    const id = await paid();
    await harness.capture(id, { amount: 500, final: false });
    expect(lastCall()).toMatchObject({ operation: 'capture', splits: onWire(450, 50) });
    await harness.capture(id);
    expect(lastCall()).toMatchObject({ amount: 799, splits: onWire(719, 80) });
    await harness.refund(id, { amount: 7 });
    expect(lastCall()).toMatchObject({ operation: 'refund', splits: onWire(6, 1) });
    await harness.refund(id);
    expect(lastCall()).toMatchObject({ amount: 1292, splits: onWire(1163, 129) });

    const { splits, captures, refunds } = await shown(id);
    expect(splits).toMatchObject([
      { capturedAmount: 1169, refundedAmount: 1169 },
      { capturedAmount: 130, refundedAmount: 130 },
    ]);
    expect([captures.length, refunds.length]).toEqual([2, 2]);
    expect(captures.at(-1)?.splits).toEqual([
      { account: 'seller', amount: 450 },
      { account: null, amount: 50 },
    ]);
  });

  it('are captured whole with a sale', async () => {
    const id = await paid({ intent: 'CAPTURE' });
    expect((await shown(id)).splits).toMatchObject([{ capturedAmount: 1169 }, { capturedAmount: 130 }]);
    await harness.refund(id, { amount: 99 });
    expect(lastCall()?.splits).toEqual(onWire(89, 10));
  });

  it('give way to the splits of a capture and of a refund', async () => {
    const id = await paid();
    const ofFee = { ...FEE, amount: 100 };
    const rest = { kind: 'RECIPIENT', account: 'seller', amount: 400 };
    await harness.capture(id, { amount: 500, splits: [ofFee, rest] } as object);
    expect(lastCall()?.splits).toEqual(onWire(400, 100));
    await harness.refund(id, { amount: 100, splits: [ofFee] } as object);
    expect(lastCall()?.splits).toEqual(onWire(0, 100).slice(1));
    expect((await shown(id)).splits).toMatchObject([
      { capturedAmount: 400, refundedAmount: 0 },
      { capturedAmount: 100, refundedAmount: 100 },
    ]);
  });

  it('stay reserved while the outcome of a capture is unknown, and each sending has the same', async () => {
    const id = await paid();
    const since = await harness.since();
    harness.provider.failNext('lose_request');
    const { operation } = await harness.capture(id, { amount: 500 });
    expect(operation?.status).toBe('PENDING');
    await harness.pass(60_000);
    await reconcileDue(harness.server.app);
    expect(since.calls().filter((call) => call === 'capture').length).toBeGreaterThan(0);
    const sent = harness.provider.calls.filter(
      ({ operation: of, payment_id }) => of === 'capture' && payment_id,
    );
    expect(sent.at(-1)?.splits).toEqual(onWire(450, 50));
    expect((await shown(id)).splits).toMatchObject([{ capturedAmount: 450 }, { capturedAmount: 50 }]);
  });

  it('are shared out once when two captures race', async () => {
    const id = await paid();
    const all = await Promise.all([1, 2, 3].map(() => harness.capture(id, { amount: 433, final: false })));
    expect(all.map(({ userErrors }) => userErrors)).toEqual([[], [], []]);
    expect((await shown(id)).splits).toMatchObject([{ capturedAmount: 1169 }, { capturedAmount: 130 }]);
  });

  it('are shared out without a rest when captures of uneven parts race, and refunds too', async () => {
    const id = await paid();
    const amounts = [433, 7, 859];
    const captures = amounts.map((amount) => harness.capture(id, { amount, final: false }));
    expect((await Promise.all(captures)).flatMap(({ userErrors }) => userErrors)).toEqual([]);
    const refunds = amounts.map((amount) => harness.refund(id, { amount }));
    expect((await Promise.all(refunds)).flatMap(({ userErrors }) => userErrors)).toEqual([]);
    expect((await shown(id)).splits).toMatchObject([
      { capturedAmount: 1169, refundedAmount: 1169 },
      { capturedAmount: 130, refundedAmount: 130 },
    ]);
  });

  const PARTS = { capture: 'capturedAmount', refund: 'refundedAmount' } as const;

  it.each(['capture', 'refund'] as const)('are decided anew if a whole %s came between', async (kind) => {
    const id = await paid({ intent: kind === 'refund' ? 'CAPTURE' : 'AUTHORIZE' });
    const amounts = { amount: 7, ...(kind === 'capture' && { final: false }) };
    const { app, merchantAccountId } = harness.server;
    let claims = 0;
    const query: typeof app.db.query = async (statement) => {
      // The second claim knows the shares, which the other operation changes first.
      if (statement.name === `claim_${kind}` && ++claims === 2) await harness[kind](id, amounts);
      return app.db.query(statement);
    };
    const run = { capture: captureTransaction, refund: refundTransaction }[kind];
    const viewer = { merchantAccountId } as Viewer;
    expect(await run({ ...app, db: { ...app.db, query } }, viewer, id, amounts, null)).toMatchObject({
      ok: true,
    });

    const parts = (await shown(id)).splits?.map((share) => share[PARTS[kind]]);
    expect([parts, claims]).toEqual([[12, 2], 3]);
  });

  it('answer a repeat of a capture with its key, and refuse other splits', async () => {
    const id = await paid();
    await harness.capture(id, { amount: 500 }, 'shares');
    const before = harness.provider.calls.length;
    const again = await harness.capture(id, { amount: 500 }, 'shares');
    const given = [{ kind: 'RECIPIENT', account: 'seller', amount: 500 }];
    const other = await harness.capture(id, { amount: 500, splits: given } as object, 'shares');
    expect([again.replayed, again.operation?.status, harness.provider.calls.length]).toEqual([
      true,
      'SUCCEEDED',
      before,
    ]);
    expect(other.userErrors).toMatchObject([
      {
        code: 'IDEMPOTENCY_KEY_REUSED',
        differingPaths: ['input.splits.0.account', 'input.splits.0.amount', 'input.splits.0.kind'],
      },
    ]);
  });

  it('are in the webhooks of the payment, of its captures and of its refunds', async () => {
    const id = await paid();
    await harness.capture(id, { amount: 500 });
    await harness.refund(id, { amount: 500 });
    await relayAll(harness.server.app);
    const rows = await harness.server.app.db.prisma.event.findMany({ orderBy: { position: 'asc' } });
    const targets = rows
      .map(({ payload }) => (JSON.parse(payload) as { target: Record<string, unknown> }).target)
      .filter((target) => target['id'] === id || target['transaction_id'] === id);
    expect(targets.find(({ type }) => type === 'capture')).toMatchObject({ splits: onWire(450, 50) });
    expect(targets.find(({ type }) => type === 'refund')).toMatchObject({ splits: onWire(450, 50) });
    const ofPayment = targets.filter(({ type }) => type === 'transaction').at(-1);
    expect(ofPayment).toMatchObject({
      splits: [
        { account: 'seller', amount: 1169, captured_amount: 450, refunded_amount: 0 },
        { account: null, amount: 130, captured_amount: 50, refunded_amount: 0 },
      ],
    });
  });
});

it('splits are beside the captures and refunds of the ledger', async () => {
  const sale = await paid({ intent: 'CAPTURE' });
  await harness.refund(sale, { amount: 500 });
  const id = await paid();
  await harness.capture(id, { amount: 500 });
  const page = { after: null, from: null, until: null, limit: 1000 };
  const account = { merchantAccountId: 'default' };
  const entries = await listLedgerEntries(harness.server.app, account, page);
  const of = (payment: string) =>
    entries.flatMap(({ transactionId, kind, splits }) =>
      transactionId === payment ? [[kind, splits?.map(({ amount }) => amount) ?? null]] : [],
    );
  expect(of(sale)).toEqual([
    ['authorize', null],
    ['capture', [1169, 130]],
    ['refund', [450, 50]],
  ]);
  expect(of(id)).toEqual([
    ['authorize', null],
    ['capture', [450, 50]],
  ]);
});

describe('splits that are refused', () => {
  it.each([
    [{ splits: [SELLER] }, ['splits'], 'which is 130 minor units more.'],
    [
      { splits: [...SPLITS, { ...SELLER, account: 'b', amount: 1, reference: 'S-2' }] },
      ['splits'],
      'which is 1 minor units less.',
    ],
    [{ splits: [{ ...FEE, amount: 1299 }] }, ['splits'], 'at least one share of the kind RECIPIENT'],
    [{ splits: [{ ...SELLER, account: null, amount: 1299 }] }, ['splits', '0', 'account'], 'Must be given'],
    [
      {
        splits: [
          { ...SELLER, amount: 99 },
          { ...SELLER, amount: 1200, reference: 'S-2' },
        ],
      },
      ['splits', '1', 'account'],
      'Must have one share alone',
    ],
    [
      {
        splits: [
          { ...SELLER, amount: 99 },
          { ...SELLER, account: 'b', amount: 1200 },
        ],
      },
      ['splits', '1', 'reference'],
      'Must differ from the references',
    ],
    [{ splits: [{ ...SELLER, amount: 0 }] }, ['splits', '0', 'amount'], 'Must be 1 or more.'],
    [{ splits: [] }, ['splits'], 'Give at least one'],
  ])('with a payment: %#', async (given, path, message) => {
    const since = await harness.since();
    const { transaction, userErrors } = await harness.create(given);
    expect(transaction).toBeNull();
    expect(userErrors).toMatchObject([
      { code: 'INVALID_INPUT', path: ['input', ...path], message: expect.stringContaining(message) },
    ]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });

  it('because the sum of a capture, or an account, is wrong', async () => {
    const id = await paid();
    const since = await harness.since();
    const { userErrors } = await harness.capture(id, {
      ...{ amount: 500, splits: [{ kind: 'RECIPIENT', account: 'other', amount: 499 }] },
    });
    expect(userErrors).toMatchObject([
      { path: ['input', 'splits', '0', 'account'] },
      { path: ['input', 'splits'], message: expect.stringContaining('1 minor units more') },
    ]);
    expect(since.calls()).toEqual([]);
  });

  it('for a payment without splits', async () => {
    const id = await harness.captured();
    const since = await harness.since();
    const given = [{ kind: 'RECIPIENT', account: 'seller', amount: 5 }];
    const { userErrors } = await harness.refund(id, { amount: 5, splits: given } as object);
    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'splits'] }]);
    expect(since.calls()).toEqual([]);
  });

  it('with an increase, which no account could get', async () => {
    const id = await paid();
    const since = await harness.since();
    const { userErrors } = await harness.increase(id, { amount: 1 });
    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'amount'] }]);
    expect([since.calls(), (await harness.transaction(id))?.authorizedAmount]).toEqual([[], 1299]);
  });

  it('by the provider, for an account that it does not know', async () => {
    const splits = [{ ...SELLER, account: 'acct_unknown', amount: 1299 }];
    const { transaction } = await harness.create({ splits });
    expect(transaction).toMatchObject({
      ...{ status: 'AUTHORIZATION_FAILED', errorCode: 'unknown_service_resource' },
    });
  });

  it('where the payment service shares no money', async () => {
    const { server, provider } = harness;
    const paymentServiceId = await createService(server, provider.url, { definitionId: 'mock-paypal' });
    const since = await harness.since();
    const { transaction, userErrors } = await harness.create({
      ...{ splits: SPLITS, paymentServiceId, redirectUrl: 'https://shop.example/back' },
      paymentMethod: { redirect: { method: 'paypal' } },
    });
    expect(transaction).toBeNull();
    expect(userErrors).toMatchObject([
      { code: 'NO_PAYMENT_SERVICE', message: expect.stringContaining('(feature splits)') },
    ]);
    expect(since.calls()).toEqual([]);
  });
});
