import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { reconcileAfter } from './doubt.ts';
import { startHarness, type Harness, type Payload } from './harness.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** Whoever begins an operation owns it for the deadline and five seconds more. */
const DEADLINE_MS = 500;
const LEASE_MS = DEADLINE_MS + 5 * SECOND;

let house: Harness;
beforeAll(async () => {
  house = await startHarness('mock-acquirer', {
    settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS) },
  });
});
afterAll(() => house.stop());

const KINDS = ['authorize', 'capture', 'refund', 'void', 'cancel'] as const;
type Kind = (typeof KINDS)[number];

type Play = {
  /** An amount that the provider decides at once, and one that it takes on and approves later; null: it never does. */
  readonly amount: number;
  readonly later: number | null;
  /** Brings a transaction to where the operation is possible; null: the operation makes it. */
  readonly prepare: (amount: number) => Promise<string | null>;
  readonly perform: (id: string | null, amount: number, key: string) => Promise<Payload>;
  /** Of the transaction in the end. */
  readonly status: string;
  /** What is told of the transaction that is prepared, of the operation that is taken on, and of its success. */
  readonly events: {
    readonly before: readonly string[];
    readonly taken: readonly string[];
    readonly done: readonly string[];
  };
};

const PLAYS: Readonly<Record<Kind, Play>> = {
  authorize: {
    amount: 1299,
    later: 600_001,
    prepare: () => Promise.resolve(null),
    perform: (_, amount, key) => house.create({ amount }, key),
    status: 'AUTHORIZATION_SUCCEEDED',
    events: { before: [], taken: [], done: ['transaction.authorized'] },
  },
  capture: {
    amount: 1299,
    later: 610_001,
    prepare: (amount) => house.authorized(amount),
    perform: (id, amount, key) => house.capture(id ?? '', { amount }, key),
    status: 'CAPTURE_SUCCEEDED',
    events: {
      before: ['transaction.authorized'],
      taken: ['capture.pending', 'transaction.capture-pending'],
      done: ['capture.succeeded', 'transaction.captured'],
    },
  },
  refund: {
    amount: 1299,
    later: 630_001,
    prepare: (amount) => house.captured(amount),
    perform: (id, amount, key) => house.refund(id ?? '', { amount }, key),
    status: 'CAPTURE_SUCCEEDED',
    events: { before: ['transaction.captured'], taken: ['refund.pending'], done: ['refund.succeeded'] },
  },
  void: {
    amount: 1299,
    later: 620_001,
    prepare: (amount) => house.authorized(amount),
    perform: (id, _, key) => house.void(id ?? '', key),
    status: 'AUTHORIZATION_VOIDED',
    events: {
      before: ['transaction.authorized'],
      taken: ['transaction.void-pending'],
      done: ['transaction.voided'],
    },
  },
  cancel: {
    amount: 600_001,
    later: null,
    prepare: async (amount) => {
      const transactionId = await house.authorized(amount);
      // Nobody asks about the authorisation meanwhile.
      const { prisma } = house.server.app.db;
      await prisma.operation.updateMany({ where: { transactionId }, data: { nextAttemptAt: null } });
      return transactionId;
    },
    perform: (id, _, key) => house.cancel(id ?? '', key),
    status: 'AUTHORIZATION_FAILED',
    events: { before: [], taken: [], done: ['transaction.failed'] },
  },
};

/** Makes the next process that comes to this point die there; the answer tells whether one has. */
function dieAt(point: string): () => boolean {
  let isDead = false;
  const remove = setFailpoint(point, () => {
    remove();
    isDead = true;
    throw new Error('The process died.');
  });
  return () => isDead;
}

const operationsOf = (key: string) =>
  house.server.app.db.prisma.operation.findMany({ where: { idempotencyKey: key } });

/** What must be true in the end, whatever happened on the way; `later`: the operation was taken on before. */
async function expectOneEffect(kind: Kind, key: string, later = false): Promise<void> {
  const { status, events } = PLAYS[kind];
  const [operation, ...others] = await operationsOf(key);
  if (!operation) throw new Error('There is no operation');
  expect(others).toEqual([]);
  const ended = { leaseUntil: null, nextAttemptAt: null, unknownAt: null, unknownCause: null };
  expect(operation).toMatchObject({ status: 'succeeded', sealedCard: null, ...ended });
  const { id, transactionId, amount } = operation;

  // The books of the provider have it once, and it was asked for nothing else under this key.
  expect(house.provider.books.get(id)).toMatchObject({ result: 'approved', amount });
  const sent = house.provider.calls.filter((call) => call.idempotency_key === id);
  expect(sent.map((call) => (call.operation === 'status' ? call.of : call.operation))).toEqual(
    sent.map(() => kind),
  );
  expect((await house.transaction(transactionId))?.status).toBe(status);
  const { prisma } = house.server.app.db;
  const entries = await prisma.ledgerEntry.findMany({ where: { operationId: id } });
  expect(entries.map((entry) => [entry.kind, entry.amount])).toEqual(
    kind === 'cancel' ? [] : [[kind, amount]],
  );
  const told = await prisma.event.findMany({
    where: { targetId: { in: [transactionId, id] } },
    orderBy: { position: 'asc' },
  });
  expect(told.map(({ name }) => name)).toEqual([
    ...events.before,
    ...(later ? events.taken : []),
    ...events.done,
  ]);
}

const of = (kinds: readonly Kind[], points: readonly string[]) =>
  kinds.flatMap((kind) => points.map((point) => [kind, point] as const));

describe('a process that dies', () => {
  it.each(of(KINDS, ['claimed', 'called', 'settling', 'settled']))(
    'in a call (%s.%s) leaves one effect, told once, to reconciliation',
    async (kind, point) => {
      const { amount, prepare, perform } = PLAYS[kind];
      const id = await prepare(amount);
      const key = `call ${kind} ${point}`;
      dieAt(`${kind}.${point}`);

      await expect(perform(id, amount, key)).rejects.toThrow('INTERNAL_SERVER_ERROR');
      await reconcileAfter(house, LEASE_MS);

      await expectOneEffect(kind, key);
      expect(await perform(id, amount, key)).toMatchObject({ replayed: true, userErrors: [] });
    },
  );

  it.each(of(KINDS, ['resending', 'resent', 'settling', 'settled']))(
    'in a repeat of what got lost (%s.%s) leaves one effect, told once, to the next one',
    async (kind, point) => {
      const { amount, prepare, perform } = PLAYS[kind];
      const id = await prepare(amount);
      const key = `repeat ${kind} ${point}`;
      house.provider.failNext('lose_answer');
      await perform(id, amount, key);
      const hasDied = dieAt(`${kind}.${point}`);

      await reconcileAfter(house, 2 * SECOND);
      expect(hasDied()).toBe(true);
      await reconcileAfter(house, LEASE_MS);

      await expectOneEffect(kind, key);
    },
  );

  it.each(of(KINDS, ['looking', 'looked', 'settling', 'settled']))(
    'in a look-up of what got lost (%s.%s) leaves one effect, told once, to the next one',
    async (kind, point) => {
      const { amount, prepare, perform } = PLAYS[kind];
      const id = await prepare(amount);
      const key = `look-up ${kind} ${point}`;
      house.provider.failNext('lose_answer');
      await perform(id, amount, key);
      const hasDied = dieAt(`${kind}.${point}`);

      // The provider has forgotten the key by then.
      await reconcileAfter(house, 24 * HOUR);
      expect(hasDied()).toBe(true);
      await reconcileAfter(house, LEASE_MS);

      await expectOneEffect(kind, key);
    },
  );

  it.each(
    of(
      KINDS.filter((kind) => PLAYS[kind].later !== null),
      ['called', 'accepting', 'accepted'],
    ),
  )('as the provider takes it on (%s.%s) leaves one effect, each step told once', async (kind, point) => {
    const { later, prepare, perform } = PLAYS[kind];
    const amount = later ?? 0;
    const id = await prepare(amount);
    const key = `later ${kind} ${point}`;
    dieAt(`${kind}.${point}`);

    await expect(perform(id, amount, key)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    await reconcileAfter(house, LEASE_MS);
    expect(await operationsOf(key)).toMatchObject([
      { status: 'pending', acceptedAt: expect.any(Date), unknownAt: null, sealedCard: null },
    ]);
    await reconcileAfter(house, 60 * SECOND);

    await expectOneEffect(kind, key, true);
  });
});
