import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../src/connectors/interface/outcome.ts';
import type { Operation, PaymentKind } from '../../src/modules/transactions/model/operation.ts';
import { settle } from '../../src/modules/transactions/settle/settle.ts';
import { takeBack } from '../../src/modules/transactions/take-back/take-back.ts';
import { readOperation } from '../../src/modules/transactions/rows/read.sql.ts';
import {
  lifecycle,
  type TransactionEvent,
  type TransactionStatus,
} from '../../src/modules/transactions/model/transaction.ts';
import { query } from '../support/database.ts';
import { startHarness, type Harness, type Payload } from './harness.ts';

let harness: Harness;

const url = (): string => harness.server.app.config.DATABASE_URL ?? '';
const words = { rawResponseCode: null, rawResponseDescription: null };

/** Builds the outcome of an operation from a provider, at any time. */
const outcomeOf = (kind: Outcome['kind'], { amount, currency }: Operation): Outcome => {
  switch (kind) {
    case 'succeeded':
      return { kind, reference: 'late_1', money: { amount, currency }, ...words };
    case 'accepted':
      return { kind, reference: 'late_1', ...words };
    case 'unknown':
      return { kind, cause: 'timeout' };
    default:
      return { kind, reference: 'late_1', errorCode: 'issuer_decline', ...words };
  }
};

async function find(operationId: string) {
  const found = await readOperation(harness.server.app.db, harness.server.merchantAccountId, operationId);
  if (!found) throw new Error('The operation is gone');
  return found;
}

/** An outcome, or a success that is taken back. */
type Said = Outcome['kind'] | 'reversed' | 'expired';

/** Applies a provider's outcome to an operation. Returns the transaction's status afterwards. */
async function say(operationId: string, kind: Said): Promise<TransactionStatus> {
  const operated = await find(operationId);
  if (kind === 'reversed' || kind === 'expired') {
    const reported =
      kind === 'expired'
        ? ({ kind, at: null, ...words } as const)
        : ({ kind, key: 'reversal 1', money: null, errorCode: 'service_error', ...words } as const);
    return (await takeBack(harness.server.app, operated.operation, reported)).transaction.status;
  }
  const stands = await settle(harness.server.app, operated, outcomeOf(kind, operated.operation));
  return stands.transaction.status;
}

/** A transaction and its latest operation. The outcome of the operation is unknown. */
type Made = { readonly id: string; readonly operationId: string };

async function payment(input: Record<string, unknown> = {}): Promise<Made> {
  harness.provider.failNext('lose_request');
  const { transaction } = await harness.create({ amount: 1000, ...input });
  const id = transaction?.id ?? '';
  const [row] = await query<{ id: string }>(url(), 'SELECT id FROM operation WHERE transaction_id = $1', [
    id,
  ]);
  return { id, operationId: row?.id ?? '' };
}

const sale = (): Promise<Made> => payment({ intent: 'CAPTURE' });

/** Makes the payment wait for the buyer, as a service with an approval does. */
async function waiting(input: Record<string, unknown> = {}): Promise<Made> {
  const made = await payment(input);
  await query(url(), `UPDATE transaction SET status = 'buyer_approval_pending' WHERE id = $1`, [made.id]);
  return made;
}

/** Adds another operation with an unknown outcome on the same transaction. */
async function then(made: Made, operate: (id: string) => Promise<Payload>): Promise<Made> {
  harness.provider.failNext('lose_request');
  const { operation } = await operate(made.id);
  return { id: made.id, operationId: operation?.id ?? '' };
}

const capture = (id: string) => harness.capture(id, { amount: 400, final: false });

async function authorized(): Promise<Made> {
  const made = await payment();
  await say(made.operationId, 'succeeded');
  return made;
}

/** Applies a provider's outcome and returns the same operation. */
async function reported(made: Made | Promise<Made>, kind: Outcome['kind']): Promise<Made> {
  const { operationId } = await made;
  await say(operationId, kind);
  return made;
}

const capturing = async (): Promise<Made> => then(await authorized(), capture);
const voiding = async (): Promise<Made> => then(await authorized(), (id) => harness.void(id));
const captured = (): Promise<Made> => reported(capturing(), 'succeeded');

/** The authorisation of a payment with a partial capture. */
async function partlyCaptured(): Promise<Made> {
  const { id } = await captured();
  const { prisma } = harness.server.app.db;
  const found = await prisma.operation.findFirstOrThrow({ where: { transactionId: id, kind: 'authorize' } });
  return { id, operationId: found.id };
}

type Edge = readonly [
  from: TransactionStatus,
  event: TransactionEvent,
  make: () => Promise<Made>,
  says: Said,
];

/** Starts a cancel before the decision of the authorisation. */
async function cancelling(made: Made | Promise<Made>, authorization?: Outcome['kind']): Promise<Made> {
  const payed = await made;
  const cancel = await then(payed, (id) => harness.cancel(id));
  if (authorization) await say(payed.operationId, authorization);
  return cancel;
}

/** A way to reach each edge. */
const EDGES: readonly Edge[] = [
  ['processing', 'authorize', payment, 'succeeded'],
  ['processing', 'sale', sale, 'succeeded'],
  ['processing', 'accept_sale', sale, 'accepted'],
  ['processing', 'decline', payment, 'declined'],
  ['processing', 'fail', sale, 'failed'],
  ['processing', 'cancel', () => cancelling(payment()), 'succeeded'],
  ['buyer_approval_pending', 'authorize', waiting, 'succeeded'],
  ['buyer_approval_pending', 'sale', () => waiting({ intent: 'CAPTURE' }), 'succeeded'],
  ['buyer_approval_pending', 'accept_sale', () => waiting({ intent: 'CAPTURE' }), 'accepted'],
  ['buyer_approval_pending', 'decline', () => waiting({ intent: 'CAPTURE' }), 'declined'],
  ['buyer_approval_pending', 'fail', waiting, 'failed'],
  ['buyer_approval_pending', 'cancel', () => cancelling(waiting()), 'succeeded'],
  ['authorization_succeeded', 'capture', capturing, 'succeeded'],
  ['authorization_succeeded', 'accept_capture', capturing, 'accepted'],
  ['authorization_succeeded', 'void', voiding, 'succeeded'],
  ['authorization_succeeded', 'accept_void', voiding, 'accepted'],
  ['authorization_succeeded', 'expire', authorized, 'expired'],
  ['authorization_succeeded', 'cancel', () => cancelling(payment(), 'succeeded'), 'succeeded'],
  ['authorization_declined', 'cancel', () => cancelling(payment(), 'declined'), 'succeeded'],
  ['authorization_failed', 'cancel', () => cancelling(payment(), 'failed'), 'succeeded'],
  ['authorization_void_pending', 'void', () => reported(voiding(), 'accepted'), 'succeeded'],
  ['authorization_void_pending', 'refuse_void', () => reported(voiding(), 'accepted'), 'declined'],
  ['capture_pending', 'sale', () => reported(sale(), 'accepted'), 'succeeded'],
  ['capture_pending', 'decline', () => reported(sale(), 'accepted'), 'declined'],
  ['capture_pending', 'fail', () => reported(sale(), 'accepted'), 'failed'],
  ['capture_pending', 'cancel', () => cancelling(sale(), 'accepted'), 'succeeded'],
  ['capture_pending', 'capture', () => reported(capturing(), 'accepted'), 'succeeded'],
  [
    'capture_pending',
    'accept_capture',
    async () => then(await reported(capturing(), 'accepted'), capture),
    'accepted',
  ],
  ['capture_pending', 'refuse_capture', () => reported(capturing(), 'accepted'), 'failed'],
  ['capture_succeeded', 'capture', async () => then(await captured(), capture), 'succeeded'],
  ['capture_succeeded', 'accept_capture', async () => then(await captured(), capture), 'accepted'],
  [
    'capture_succeeded',
    'refuse_capture',
    async () => reported(then(await captured(), capture), 'accepted'),
    'declined',
  ],
  ['capture_succeeded', 'reverse_capture', captured, 'reversed'],
  ['capture_succeeded', 'expire', partlyCaptured, 'expired'],
];

const KINDS = [
  ...(['authorize', 'increase', 'reauthorize', 'capture', 'void', 'cancel', 'refund'] as const),
] satisfies readonly PaymentKind[];
const OUTCOMES: readonly Outcome['kind'][] = ['succeeded', 'accepted', 'declined', 'failed', 'unknown'];
/** The states that no operation leaves. */
export const TERMINAL = ['authorization_declined', 'authorization_failed', 'authorization_voided'] as const;

/** Reads all rows of a transaction. */
const everythingOf = (id: string) =>
  query(
    url(),
    `SELECT row_to_json(t) AS transaction,
       (SELECT json_agg(o ORDER BY o.id) FROM operation o WHERE o.transaction_id = t.id) AS operations,
       (SELECT json_agg(l ORDER BY l.id) FROM ledger_entry l WHERE l.transaction_id = t.id) AS ledger,
       (SELECT json_agg(h ORDER BY h.id) FROM history_entry h WHERE h.transaction_id = t.id) AS history,
       (SELECT count(*) FROM event) AS events
     FROM transaction t WHERE t.id = $1`,
    [id],
  );

/** Resolves when a statement waits for this backend's locks. */
async function somebodyWaitsFor(pid: number): Promise<void> {
  for (;;) {
    const [row] = await query<{ waiting: number }>(
      url(),
      'SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
      [pid],
    );
    if ((row?.waiting ?? 0) > 0) return;
  }
}

/** Defines the tests of the table of states, and of late outcomes in these terminal states. */
export function describeTransitions(terminal: readonly (typeof TERMINAL)[number][]): void {
  beforeAll(async () => {
    harness = await startHarness('mock-acquirer');
  });
  afterAll(() => harness.stop());

  describe('the edges of the status table', describeEdges);
  describe('a late outcome', () => describeLateOutcomes(terminal));
  describe('settling', describeSettling);
}

function describeEdges(): void {
  it.each(EDGES)('%s: %s', async (from, event, make, says) => {
    const { id, operationId } = await make();
    const before = await find(operationId);

    const status = await say(operationId, says);

    const ways: Readonly<Partial<Record<TransactionEvent, TransactionStatus>>> = lifecycle[from];
    expect([before.transaction.status, status]).toEqual([from, ways[event]]);
    expect((await harness.transaction(id))?.status).toBe(status.toUpperCase());
  });

  it('are all here, except to the buyer and back, later tries, and operations made at the provider', () => {
    // elsewhere.test.ts has the operations made at the provider, and retry-plans/ has the later tries.
    const all = Object.entries(lifecycle).flatMap(([from, ways]) =>
      Object.keys(ways).flatMap((event) =>
        event === 'retry' || event.endsWith('_elsewhere') ? [] : [`${from}: ${event}`],
      ),
    );

    const ofBuyers = ['processing: await_buyer', 'buyer_approval_pending: authenticate'];
    expect([...ofBuyers, ...EDGES.map(([from, event]) => `${from}: ${event}`)].sort()).toEqual(all.sort());
  });
}

function describeLateOutcomes(terminal: readonly (typeof TERMINAL)[number][]): void {
  /** A captured payment with an ended operation of each kind. */
  let id: string;
  let ended: Readonly<Record<(typeof KINDS)[number], string>>;

  beforeEach(async () => {
    const made = await payment();
    const cancel = await reported(
      then(made, (of) => harness.cancel(of)),
      'declined',
    );
    await say(made.operationId, 'succeeded');
    const voided = await reported(
      then(made, (of) => harness.void(of)),
      'declined',
    );
    const increase = await reported(
      then(made, (of) => harness.increase(of, { amount: 10 })),
      'declined',
    );
    const reauthorize = await reported(
      then(made, (of) => harness.reauthorize(of)),
      'succeeded',
    );
    const captured = await reported(
      then(made, (of) => harness.capture(of)),
      'succeeded',
    );
    const refund = await reported(
      then(made, (of) => harness.refund(of, { amount: 10 })),
      'declined',
    );
    id = made.id;
    ended = {
      authorize: made.operationId,
      cancel: cancel.operationId,
      void: voided.operationId,
      increase: increase.operationId,
      reauthorize: reauthorize.operationId,
      capture: captured.operationId,
      refund: refund.operationId,
    };
  });

  const expectNothing = async (): Promise<void> => {
    const before = await everythingOf(id);
    for (const kind of KINDS) {
      for (const outcome of OUTCOMES) {
        await say(ended[kind], outcome);
        expect([kind, outcome, await everythingOf(id)]).toEqual([kind, outcome, before]);
      }
    }
  };

  it('changes nothing of a captured payment, whatever it is', async () => {
    expect((await harness.transaction(id))?.status).toBe('CAPTURE_SUCCEEDED');

    await expectNothing();
  });

  it.each(terminal)('changes nothing of a payment in %s, whatever it is', async (status) => {
    await query(
      url(),
      `UPDATE transaction SET status = $2, captured_amount = 0, capture_closed = false WHERE id = $1`,
      [id, status],
    );

    await expectNothing();
  });

  it.each(terminal)('of a pending operation moves no payment out of %s', async (status) => {
    await query(
      url(),
      `UPDATE transaction SET status = $2, captured_amount = 0, capture_pending_amount = 0, capture_closed = false
       WHERE id = $1`,
      [id, status],
    );
    await query(
      url(),
      `UPDATE operation SET status = 'pending' WHERE transaction_id = $1 AND kind IN ('authorize', 'void')`,
      [id],
    );

    for (const kind of ['authorize', 'void'] as const) {
      for (const outcome of ['succeeded', 'accepted', 'unknown'] as const) {
        expect([kind, outcome, await say(ended[kind], outcome)]).toEqual([kind, outcome, status]);
      }
    }
    expect((await harness.transaction(id))?.status).toBe(status.toUpperCase());
  });
}

function describeSettling(): void {
  it('of many answers to one operation at once takes one, and publishes it once', async () => {
    const { id, operationId } = await capturing();
    const since = await harness.since();
    const operated = await find(operationId);
    const answers = Array.from(
      { length: 20 },
      (_, index) => (['succeeded', 'declined', 'failed'] as const)[index % 3] ?? 'failed',
    );

    const stands = await Promise.all(
      answers.map((kind) => settle(harness.server.app, operated, outcomeOf(kind, operated.operation))),
    );

    const outcomes = new Set(stands.map(({ operation }) => operation.status));
    expect(outcomes.size).toBe(1);
    const now = await harness.transaction(id);
    const isCaptured = outcomes.has('succeeded');
    expect([now?.capturedAmount, now?.capturable.amount]).toEqual(isCaptured ? [400, 600] : [0, 1000]);
    expect(await since.eventNames()).toHaveLength(2);
  });

  it('does not wait for a lock on the operation alone', async () => {
    const { id, operationId } = await capturing();
    const { db } = harness.server.app;
    const other = await db.connect();
    const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await other.query('BEGIN');
    await other.query('UPDATE operation SET updated_at = updated_at WHERE id = $1', [operationId]);

    const settled = say(operationId, 'succeeded');
    await somebodyWaitsFor(rows[0]?.pid ?? 0);
    // The lock stands for a release of the operation. A settle that waited for the release would deadlock.
    await other.query(
      `INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, created_at)
       SELECT merchant_account_id, gen_random_uuid(), id, 'test', '{}', now() FROM transaction WHERE id = $1`,
      [id],
    );
    await other.query('COMMIT');
    other.release();

    expect(await settled).toBe('capture_succeeded');
  });
}
