import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { holdAt } from '../support/hold.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { createClassProvider, type ClassProvider } from './class-provider.ts';
import { unresolvedOn, historyOf, reconcileAfter, resolve, unresolved } from './unresolved.ts';
import { startHarness, type Harness } from './harness.ts';

const DEADLINE_MS = 10_000;
const LEASE_MS = DEADLINE_MS + 5_000;
const DAY = 24 * 3_600_000;

let harness: Harness;
let provider: ClassProvider;
let eventsBefore: number;

beforeAll(async () => {
  const clock = createShiftedClock();
  provider = createClassProvider('acquirer', { kind: 'keys', windowMs: DAY }, clock);
  harness = await startHarness(provider.definitionId, {
    clock,
    connectors: [provider.connector],
    settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS) },
  });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  eventsBefore = (await harness.eventNames()).length;
});

const eventsSince = async () => (await harness.eventNames()).slice(eventsBefore);

const KINDS = ['authorize', 'capture', 'refund', 'void', 'cancel'] as const;
type Kind = (typeof KINDS)[number];

type Unresolved = { readonly id: string; readonly transactionId: string };

/** Creates an operation whose request got lost. The provider knows nothing of the operation. */
async function unknownOutcomeOf(kind: Kind, key?: string): Promise<Unresolved> {
  const transactionId = await begin(kind, key);
  const { prisma } = harness.server.app.db;
  const { id } = await prisma.operation.findFirstOrThrow({ where: { transactionId, kind } });
  return { id, transactionId };
}

async function begin(kind: Kind, key?: string): Promise<string> {
  if (kind === 'authorize' || kind === 'cancel') {
    provider.failNext('lose_request');
    const { transaction } = await harness.create({ amount: 1000 }, kind === 'cancel' ? undefined : key);
    const id = transaction?.id ?? '';
    if (kind === 'cancel') {
      provider.failNext('lose_request');
      await harness.cancel(id, key);
    }
    return id;
  }
  const id = kind === 'refund' ? await harness.captured(1000) : await harness.authorized(1000);
  provider.failNext('lose_request');
  if (kind === 'capture') await harness.capture(id, { amount: 600 }, key);
  else if (kind === 'refund') await harness.refund(id, { amount: 600 }, key);
  else await harness.void(id, key);
  return id;
}

const REASON = 'Seen in the back office.';

type End = { readonly transaction: Record<string, unknown>; readonly notified: readonly string[] };

const SUCCEEDED: Readonly<Record<Kind, End>> = {
  authorize: {
    transaction: { status: 'AUTHORIZATION_SUCCEEDED', authorizedAmount: 1000 },
    notified: ['transaction.authorized'],
  },
  capture: {
    transaction: { status: 'CAPTURE_SUCCEEDED', capturedAmount: 600 },
    notified: ['transaction.authorized', 'capture.succeeded', 'transaction.captured'],
  },
  refund: {
    transaction: { status: 'CAPTURE_SUCCEEDED', refundedAmount: 600, refundable: { amount: 400 } },
    notified: ['transaction.captured', 'refund.succeeded'],
  },
  void: {
    transaction: { status: 'AUTHORIZATION_VOIDED', capturable: { amount: 0 } },
    notified: ['transaction.authorized', 'transaction.voided'],
  },
  cancel: {
    transaction: { status: 'AUTHORIZATION_FAILED', errorCode: 'canceled' },
    notified: ['transaction.failed'],
  },
};

const FAILED: Readonly<Record<Kind, End>> = {
  authorize: {
    transaction: { status: 'AUTHORIZATION_FAILED', authorizedAmount: 0, errorCode: 'resolved_as_failed' },
    notified: ['transaction.failed'],
  },
  capture: {
    transaction: { status: 'AUTHORIZATION_SUCCEEDED', capturedAmount: 0, capturable: { amount: 1000 } },
    notified: ['transaction.authorized', 'capture.failed', 'transaction.capture-failed'],
  },
  refund: {
    transaction: { status: 'CAPTURE_SUCCEEDED', refundedAmount: 0, refundable: { amount: 1000 } },
    notified: ['transaction.captured', 'refund.failed'],
  },
  void: {
    transaction: { status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 1000 } },
    notified: ['transaction.authorized', 'transaction.void-failed'],
  },
  cancel: { transaction: { status: 'PROCESSING', errorCode: null }, notified: [] },
};

describe('resolveOperation', () => {
  it.each(KINDS)('settles a %s as done, once, with the reference of the provider', async (kind) => {
    const { id } = await unknownOutcomeOf(kind, `done ${kind}`);
    const requested = provider.requested.length;

    const payload = await resolve(harness, id, {
      outcome: 'SUCCEEDED',
      reason: REASON,
      paymentServiceReference: `theirs ${kind}`,
    });

    expect(payload).toMatchObject({
      operation: {
        id,
        kind: kind.toUpperCase(),
        status: 'SUCCEEDED',
        paymentServiceReference: `theirs ${kind}`,
        errorCode: null,
        unknown: null,
      },
      transaction: SUCCEEDED[kind].transaction,
      userErrors: [],
    });
    expect(await eventsSince()).toEqual(SUCCEEDED[kind].notified);
    const { prisma } = harness.server.app.db;
    const entries = await prisma.ledgerEntry.findMany({ where: { operationId: id } });
    expect(entries.map((entry) => entry.kind)).toEqual(kind === 'cancel' ? [] : [kind]);
    await reconcileAfter(harness, 60_000);
    expect(provider.requested.slice(requested).filter(({ key }) => key === id)).toEqual([]);
  });

  it.each(KINDS)('frees the amount that a %s reserves when it was not done', async (kind) => {
    const { id } = await unknownOutcomeOf(kind);

    const payload = await resolve(harness, id, { outcome: 'FAILED', reason: REASON });

    expect(payload).toMatchObject({
      operation: { id, status: 'FAILED', errorCode: 'resolved_as_failed', unknown: null },
      transaction: FAILED[kind].transaction,
      userErrors: [],
    });
    expect(await eventsSince()).toEqual(FAILED[kind].notified);
    const { prisma } = harness.server.app.db;
    expect(await prisma.ledgerEntry.count({ where: { operationId: id } })).toBe(0);
    await prisma.operation.findFirstOrThrow({ where: { id, status: 'failed', sealedCard: null } });
    expect((await unresolved(harness)).map((found) => found.id)).not.toContain(id);
    await reconcileAfter(harness, 60_000);
  });

  it('records for ever who resolved it, how and why', async () => {
    const { id, transactionId } = await unknownOutcomeOf('capture');
    const { apiKeyPairs } = await harness.ask<{ apiKeyPairs: { nodes: { id: string }[] } }>(
      '{ apiKeyPairs { nodes { id } } }',
    );

    await resolve(harness, id, { outcome: 'FAILED', reason: 'Nobody has seen it.' });

    expect((await historyOf(harness, transactionId)).slice(-2)).toEqual([
      {
        name: 'operation-resolved-by-hand',
        context: {
          operation_id: id,
          kind: 'capture',
          outcome: 'failed',
          reason: 'Nobody has seen it.',
          api_key_pair_id: apiKeyPairs.nodes[0]?.id,
        },
      },
      {
        name: 'payment-connector-response-transaction-capture-failed',
        context: expect.objectContaining({ operation_id: id, code: 'resolved_as_failed' }),
      },
    ]);
  });

  it.each([
    ['the id of the operation', undefined],
    ['the key derived from an idempotency key', 'named by our key'],
  ])('stores %s as the reference when nobody knows that of the provider', async (_, key) => {
    const { id } = await unknownOutcomeOf('capture', key);
    const received = provider.requested.at(-1)?.key;

    const { operation } = await resolve(harness, id, { outcome: 'SUCCEEDED', reason: REASON });

    expect(operation).toMatchObject({ paymentServiceKey: received, paymentServiceReference: received });
    expect(received === id).toBe(key === undefined);
  });

  it('determines the answer of the idempotency key from then on', async () => {
    const { id, transactionId } = await unknownOutcomeOf('capture', 'resolved');
    await resolve(harness, id, { outcome: 'SUCCEEDED', reason: REASON });

    expect(await harness.capture(transactionId, { amount: 600 }, 'resolved')).toMatchObject({
      operation: { id, status: 'SUCCEEDED' },
      transaction: { capturedAmount: 600 },
      replayed: true,
    });
  });

  it.each(['SUCCEEDED', 'FAILED'])(
    'answers %s again with the current state, and does nothing',
    async (outcome) => {
      const { id, transactionId } = await unknownOutcomeOf('capture');
      const first = await resolve(harness, id, { outcome, reason: REASON });
      const events = await eventsSince();

      const second = await resolve(harness, id, { outcome, reason: 'Said again.' });

      expect(second).toEqual(first);
      expect(await eventsSince()).toEqual(events);
      const names = (await historyOf(harness, transactionId)).map(({ name }) => name);
      expect(names.filter((name) => name === 'operation-resolved-by-hand')).toHaveLength(1);
    },
  );

  it('ten times at once settles once', async () => {
    const { id, transactionId } = await unknownOutcomeOf('refund');

    const payloads = await Promise.all(
      Array.from({ length: 10 }, () => resolve(harness, id, { outcome: 'SUCCEEDED', reason: REASON })),
    );

    expect(payloads.filter(({ operation }) => operation?.status === 'SUCCEEDED').length).toBeGreaterThan(0);
    for (const { operation, userErrors } of payloads) {
      if (operation) expect(operation).toMatchObject({ id, status: 'SUCCEEDED' });
      else expect(userErrors).toMatchObject([{ code: 'OPERATION_NOT_UNRESOLVED', status: 'PENDING' }]);
    }
    expect(await harness.transaction(transactionId)).toMatchObject({ refundedAmount: 600 });
    expect(await eventsSince()).toEqual(['transaction.captured', 'refund.succeeded']);
  });
});

describe('resolveOperation refuses', () => {
  it('another outcome than the known one, and changes nothing', async () => {
    const id = await harness.authorized(1000);
    const { operation } = await harness.capture(id, { amount: 600 });

    const payload = await resolve(harness, operation?.id ?? '', { outcome: 'FAILED', reason: REASON });

    expect(payload).toEqual({
      operation: null,
      transaction: null,
      userErrors: [
        {
          __typename: 'OperationNotUnresolved',
          code: 'OPERATION_NOT_UNRESOLVED',
          message:
            'The outcome of this operation is known: SUCCEEDED. resolveOperation needs an operation of unknown outcome.',
          path: ['id'],
          status: 'SUCCEEDED',
        },
      ],
    });
    expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 600 });
    expect((await historyOf(harness, id)).map(({ name }) => name)).not.toContain(
      'operation-resolved-by-hand',
    );
  });

  it('an operation with a living caller', async () => {
    const id = await harness.authorized(1000);
    const held = holdAt('capture.claimed');
    const capture = harness.capture(id);
    await held.reached;
    const row = await harness.server.app.db.prisma.operation.findFirstOrThrow({
      where: { transactionId: id, kind: 'capture' },
    });

    const payload = await resolve(harness, row.id, { outcome: 'FAILED', reason: REASON });
    held.go();

    expect(payload.userErrors).toMatchObject([{ code: 'OPERATION_NOT_UNRESOLVED', status: 'PENDING' }]);
    expect((await capture).operation?.status).toBe('SUCCEEDED');
  });

  it('an operation whose caller has died, until reconciliation has claimed it', async () => {
    const id = await harness.authorized(1000);
    const remove = setFailpoint('capture.claimed', () => {
      remove();
      throw new Error('The process died.');
    });
    await expect(harness.capture(id)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    await harness.pass(LEASE_MS);
    const { prisma } = harness.server.app.db;
    const row = await prisma.operation.findFirstOrThrow({ where: { transactionId: id, kind: 'capture' } });
    const reported = { outcome: 'FAILED', reason: REASON };

    const payload = await resolve(harness, row.id, reported);
    provider.turn('away');
    await reconcileDue(harness.server.app);
    provider.turn('working');

    expect(payload.userErrors).toMatchObject([{ code: 'OPERATION_NOT_UNRESOLVED', status: 'PENDING' }]);
    expect((await resolve(harness, row.id, reported)).operation).toMatchObject({ status: 'FAILED' });
  });

  it('an operation during a look-up of reconciliation', async () => {
    const { id, transactionId } = await unknownOutcomeOf('capture');
    const held = holdAt('capture.resending');
    await harness.pass(2_000);
    const round = reconcileDue(harness.server.app);
    await held.reached;

    const payload = await resolve(harness, id, { outcome: 'FAILED', reason: REASON });
    held.go();
    await round;

    expect(payload.userErrors).toMatchObject([{ code: 'OPERATION_NOT_UNRESOLVED', status: 'PENDING' }]);
    expect(await harness.transaction(transactionId)).toMatchObject({ capturedAmount: 600 });
    expect(provider.effectsOf(id)).toBe(1);
  });

  it('the operation of another merchant account, and unknown ids', async () => {
    const { id, transactionId } = await unknownOutcomeOf('capture');
    const { id: merchantAccountId } = await harness.server.createMerchantAccount();
    const token = await harness.server.mint({ merchantAccountId });
    const ask = async (operationId: string, of: string) => {
      const { body } = await harness.server.graphql<{ resolveOperation: unknown }>(
        `mutation ($id: ID!) { resolveOperation(id: $id, input: { outcome: FAILED, reason: "No." }) {
          operation { id } userErrors { code path } } }`,
        { id: operationId },
        { token: of },
      );
      return body.data?.resolveOperation;
    };
    const notFound = { operation: null, userErrors: [{ code: 'NOT_FOUND', path: ['id'] }] };

    expect(await ask(id, token)).toEqual(notFound);
    const own = await harness.server.mint();
    expect(await ask('0198c1d2-0000-7000-8000-000000000000', own)).toEqual(notFound);
    expect(await ask('nonsense', own)).toEqual(notFound);
    expect(await unresolvedOn(harness, transactionId)).toMatchObject({ id });
    await reconcileAfter(harness, 10_000);
  });

  it.each([
    [{ reason: '' }, 'input.reason'],
    [{ reason: 'x'.repeat(501) }, 'input.reason'],
    [{ reason: 'a\u0000b' }, 'input.reason'],
    [{ paymentServiceReference: '' }, 'input.paymentServiceReference'],
    [{ paymentServiceReference: 'x'.repeat(256) }, 'input.paymentServiceReference'],
  ])('the input %j with its path, and changes nothing', async (given, path) => {
    const { id, transactionId } = await unknownOutcomeOf('capture');

    const payload = await resolve(harness, id, { outcome: 'SUCCEEDED', reason: REASON, ...given });

    expect(payload.userErrors.map(({ code, path: at }) => `${code} ${at.join('.')}`)).toEqual([
      `INVALID_INPUT ${path}`,
    ]);
    expect(payload.operation).toBeNull();
    expect(await unresolvedOn(harness, transactionId)).toMatchObject({ id, attempts: 1 });
    await resolve(harness, id, { outcome: 'FAILED', reason: 'x'.repeat(500) });
  });
});

describe('a resolved operation', () => {
  it.each(['SUCCEEDED', 'FAILED'])(
    'as %s is not changed by a late answer of the provider',
    async (outcome) => {
      const id = await harness.authorized(1000);
      const held = holdAt('capture.called');
      const answer = harness.capture(id, { amount: 600 }, `late ${outcome}`);
      await held.reached;
      await harness.pass(LEASE_MS);
      provider.turn('away');
      await reconcileDue(harness.server.app);
      provider.turn('working');
      const found = await unresolvedOn(harness, id);
      const resolved = await resolve(harness, found?.id ?? '', { outcome, reason: REASON });
      const events = await eventsSince();

      held.go();

      expect(await answer).toMatchObject({
        operation: { id: found?.id, status: outcome },
        transaction: resolved.transaction,
      });
      expect(await eventsSince()).toEqual(events);
      expect(await harness.transaction(id)).toMatchObject({ ...resolved.transaction });
    },
  );

  it('may be resolved again when the process dies before the record', async () => {
    const { id, transactionId } = await unknownOutcomeOf('capture');
    const remove = setFailpoint('capture.settling', () => {
      remove();
      throw new Error('The process died.');
    });
    const reported = { outcome: 'FAILED', reason: REASON };
    await expect(resolve(harness, id, reported)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    expect(await unresolvedOn(harness, transactionId)).toMatchObject({ id });
    // No process sends the operation again meanwhile.
    await reconcileAfter(harness, 2_000);
    expect(provider.effectsOf(id)).toBe(0);

    await harness.pass(LEASE_MS);

    expect((await resolve(harness, id, reported)).operation).toMatchObject({ status: 'FAILED' });
    expect(provider.effectsOf(id)).toBe(0);
  });
});
