import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { actingAs } from '../../src/platform/database/acting.ts';
import { startHarness, type Harness } from '../transactions/harness.ts';
import { ended, inboxOf } from '../transactions/inbox.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
});
afterAll(() => harness.stop());

type Actor = { readonly kind: string; readonly id: string | null; readonly requestId: string | null };
type Entry = {
  readonly action: string;
  readonly actor: Actor;
  readonly before: object;
  readonly after: object;
};

const ACTOR = 'actor { kind id requestId address }';

async function entriesOf(id: string): Promise<readonly Entry[]> {
  const { auditLog } = await harness.ask<{ auditLog: { nodes: readonly Entry[] } }>(
    `query ($id: String) { auditLog(filter: { targetId: $id }) { nodes { action ${ACTOR} before after } } }`,
    { id },
  );
  return auditLog.nodes.toReversed();
}

type Shown = {
  readonly operations: readonly { readonly kind: string; readonly actor: Actor | null }[];
  readonly events: { readonly nodes: readonly { readonly name: string; readonly actor: Actor | null }[] };
};

const shown = async (id: string): Promise<Shown> =>
  (
    await harness.ask<{ transaction: Shown }>(
      `query ($id: ID!) { transaction(id: $id) { operations { kind ${ACTOR} } events { nodes { name ${ACTOR} } } } }`,
      { id },
    )
  ).transaction;

describe('the audit log of money', () => {
  it('has the request and the outcome of each operation, with the amounts', async () => {
    const id = await harness.authorized(1000);
    await harness.capture(id, { amount: 400 });

    const entries = await entriesOf(id);

    expect(entries.map(({ action }) => action)).toEqual([
      'authorization.requested',
      'authorization.succeeded',
      'capture.requested',
      'capture.succeeded',
    ]);
    expect(entries[2]).toMatchObject({
      before: null,
      after: { amount: 400, currency: 'USD', status: 'pending' },
    });
    expect(entries[3]).toMatchObject({
      before: { status: 'pending' },
      after: { status: 'succeeded', amount: 400 },
    });
    for (const { actor } of entries) expect(actor).toMatchObject({ kind: 'API_KEY', address: '127.0.0.1' });
    expect(entries[2]?.actor).toEqual(entries[3]?.actor);
    expect(entries[1]?.actor.requestId).not.toBe(entries[2]?.actor.requestId);
  });

  it('has no entry of a refused capture and of a replayed one', async () => {
    const id = await harness.authorized(1000);
    await harness.capture(id, { amount: 400 }, 'audited-capture');
    const before = await entriesOf(id);

    await harness.capture(id, { amount: 601 });
    await harness.capture(id, { amount: 400 }, 'audited-capture');

    expect(await entriesOf(id)).toEqual(before);
  });

  it('names the caller on the operation, and on the history the work that learned the outcome', async () => {
    const id = await harness.authorized(1000);
    harness.provider.failNext('lose_answer');
    await harness.capture(id, { amount: 400 });
    await harness.pass(60_000);
    const working = actingAs(harness.server.app, { kind: 'system', id: 'reconciliation' });
    while (await reconcileDue(working));

    const { operations, events } = await shown(id);

    expect(operations[0]).toMatchObject({ kind: 'CAPTURE', actor: { kind: 'API_KEY' } });
    expect(events.nodes[0]?.actor).toMatchObject({ kind: 'SYSTEM', id: 'reconciliation' });
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: 'capture.succeeded',
      actor: { kind: 'SYSTEM', id: 'reconciliation' },
    });
  });

  it('names the payment service that reported an outcome', async () => {
    const inbox = await inboxOf(harness);
    const id = await harness.authorized(600_001);
    const { id: key, paymentServiceId } = await harness.server.app.db.prisma.operation.findFirstOrThrow({
      where: { transactionId: id },
    });
    const status = await inbox.tell({
      id: 'audited',
      idempotency_key: key,
      event: 'authorization.succeeded',
      amount: 600_001,
      currency: 'USD',
      payment_service_reference: 'ref_audited',
    });
    await ended(harness, 1);

    expect(status).toBe(200);
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: 'authorization.succeeded',
      actor: { kind: 'PROVIDER', id: paymentServiceId },
    });
  });
});
