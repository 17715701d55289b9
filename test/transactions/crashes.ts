import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { reconcileAfter } from './unresolved.ts';
import { startHarness, type Harness, type Payload } from './harness.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** The deadline of a call. The process owns its operation for the deadline and five seconds more. */
const DEADLINE_MS = 10_000;
const LEASE_MS = DEADLINE_MS + 5 * SECOND;

let harness: Harness;

/** The operations that a process may leave behind. */
export const KINDS = ['authorize', 'capture', 'refund', 'void', 'cancel'] as const;
export type Kind = (typeof KINDS)[number];

type Play = {
  /** An amount with an immediate decision, and one with a later approval. Null means that no such amount exists. */
  readonly amount: number;
  readonly later: number | null;
  /** Prepares a transaction for the operation. Null means that the operation creates the transaction. */
  readonly prepare: (amount: number) => Promise<string | null>;
  readonly perform: (id: string | null, amount: number, key: string) => Promise<Payload>;
  /** The final status of the transaction. */
  readonly status: string;
  /** The events of the prepared transaction, of the pending operation and of its success. */
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
    perform: (_, amount, key) => harness.create({ amount }, key),
    status: 'AUTHORIZATION_SUCCEEDED',
    events: { before: [], taken: [], done: ['transaction.authorized'] },
  },
  capture: {
    amount: 1299,
    later: 610_001,
    prepare: (amount) => harness.authorized(amount),
    perform: (id, amount, key) => harness.capture(id ?? '', { amount }, key),
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
    prepare: (amount) => harness.captured(amount),
    perform: (id, amount, key) => harness.refund(id ?? '', { amount }, key),
    status: 'CAPTURE_SUCCEEDED',
    events: { before: ['transaction.captured'], taken: ['refund.pending'], done: ['refund.succeeded'] },
  },
  void: {
    amount: 1299,
    later: 620_001,
    prepare: (amount) => harness.authorized(amount),
    perform: (id, _, key) => harness.void(id ?? '', key),
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
      const transactionId = await harness.authorized(amount);
      // No inquiry about the authorisation runs meanwhile.
      const { prisma } = harness.server.app.db;
      await prisma.operation.updateMany({ where: { transactionId }, data: { nextAttemptAt: null } });
      return transactionId;
    },
    perform: (id, _, key) => harness.cancel(id ?? '', key),
    status: 'AUTHORIZATION_FAILED',
    events: { before: [], taken: [], done: ['transaction.failed'] },
  },
};

/** Kills the next process that reaches a failpoint. The returned function tells whether one has died. */
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
  harness.server.app.db.prisma.operation.findMany({ where: { idempotencyKey: key } });

/**
 * Checks the final state after any interruption. `later` means that the provider had accepted the operation for a
 * later decision.
 */
async function expectOneEffect(kind: Kind, key: string, later = false): Promise<void> {
  const { status, events } = PLAYS[kind];
  const [operation, ...others] = await operationsOf(key);
  if (!operation) throw new Error('There is no operation');
  expect(others).toEqual([]);
  const ended = { leaseUntil: null, nextAttemptAt: null, unknownAt: null, unknownCause: null };
  expect(operation).toMatchObject({ status: 'succeeded', sealedCard: null, ...ended });
  const { id, transactionId, amount } = operation;
  const keyThere = operation.providerKey ?? id;

  // The provider's books hold one effect, and this key carried no other request.
  expect(harness.provider.books.get(keyThere)).toMatchObject({ result: 'approved', amount });
  const sent = harness.provider.calls.filter((call) => call.idempotency_key === keyThere);
  expect(sent.map((call) => (call.operation === 'status' ? call.of : call.operation))).toEqual(
    sent.map(() => kind),
  );
  expect((await harness.transaction(transactionId))?.status).toBe(status);
  const { prisma } = harness.server.app.db;
  const entries = await prisma.ledgerEntry.findMany({ where: { operationId: id } });
  expect(entries.map((entry) => [entry.kind, entry.amount])).toEqual(
    kind === 'cancel' ? [] : [[kind, amount]],
  );
  const notified = await prisma.event.findMany({
    where: { targetId: { in: [transactionId, id] } },
    orderBy: { position: 'asc' },
  });
  expect(notified.map(({ name }) => name)).toEqual([
    ...events.before,
    ...(later ? events.taken : []),
    ...events.done,
  ]);
}

const of = (kinds: readonly Kind[], points: readonly string[]) =>
  kinds.flatMap((kind) => points.map((point) => [kind, point] as const));

/** Defines the tests of processes that die during these operations. */
export function describeCrashes(kinds: readonly Kind[]): void {
  beforeAll(async () => {
    harness = await startHarness('mock-acquirer', {
      settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS) },
    });
  });
  afterAll(() => harness.stop());

  describe('a process that dies', () => {
    it.each(of(kinds, ['claimed', 'called', 'settling', 'settled']))(
      'in a call (%s.%s) leaves one effect, published once, to reconciliation',
      async (kind, point) => {
        const { amount, prepare, perform } = PLAYS[kind];
        const id = await prepare(amount);
        const key = `call ${kind} ${point}`;
        dieAt(`${kind}.${point}`);

        await expect(perform(id, amount, key)).rejects.toThrow('INTERNAL_SERVER_ERROR');
        await reconcileAfter(harness, LEASE_MS);

        await expectOneEffect(kind, key);
        expect(await perform(id, amount, key)).toMatchObject({ replayed: true, userErrors: [] });
      },
    );

    it.each(of(kinds, ['resending', 'resent', 'settling', 'settled']))(
      'in a repeat of a lost request (%s.%s) leaves one effect, published once, to the next run',
      async (kind, point) => {
        const { amount, prepare, perform } = PLAYS[kind];
        const id = await prepare(amount);
        const key = `repeat ${kind} ${point}`;
        harness.provider.failNext('lose_answer');
        await perform(id, amount, key);
        const hasDied = dieAt(`${kind}.${point}`);

        await reconcileAfter(harness, 2 * SECOND);
        expect(hasDied()).toBe(true);
        await reconcileAfter(harness, LEASE_MS);

        await expectOneEffect(kind, key);
      },
    );

    it.each(of(kinds, ['looking', 'looked', 'settling', 'settled']))(
      'in a look-up of a lost request (%s.%s) leaves one effect, published once, to the next run',
      async (kind, point) => {
        const { amount, prepare, perform } = PLAYS[kind];
        const id = await prepare(amount);
        const key = `look-up ${kind} ${point}`;
        harness.provider.failNext('lose_answer');
        await perform(id, amount, key);
        const hasDied = dieAt(`${kind}.${point}`);

        // The provider has forgotten the key by then.
        await reconcileAfter(harness, 24 * HOUR);
        expect(hasDied()).toBe(true);
        await reconcileAfter(harness, LEASE_MS);

        await expectOneEffect(kind, key);
      },
    );

    it.each(
      of(
        kinds.filter((kind) => PLAYS[kind].later !== null),
        ['called', 'accepting', 'accepted'],
      ),
    )(
      'while the provider accepts the operation (%s.%s) leaves one effect, each step published once',
      async (kind, point) => {
        const { later, prepare, perform } = PLAYS[kind];
        const amount = later ?? 0;
        const id = await prepare(amount);
        const key = `later ${kind} ${point}`;
        dieAt(`${kind}.${point}`);

        await expect(perform(id, amount, key)).rejects.toThrow('INTERNAL_SERVER_ERROR');
        await reconcileAfter(harness, LEASE_MS);
        expect(await operationsOf(key)).toMatchObject([
          { status: 'pending', acceptedAt: expect.any(Date), unknownAt: null, sealedCard: null },
        ]);
        await reconcileAfter(harness, 60 * SECOND);

        await expectOneEffect(kind, key, true);
      },
    );
  });
}
