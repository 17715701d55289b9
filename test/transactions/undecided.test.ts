import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { releaseLease } from '../../src/modules/transactions/settle/settle.ts';
import { readOperation } from '../../src/modules/transactions/rows/read.sql.ts';
import { startHarness, type Harness, type Since } from './harness.ts';
import { ended, inboundRows, inboxOf } from './inbox.ts';
import { historyOf, keyAtProvider, resolve, unresolvedOn } from './unresolved.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let harness: Harness;
let since: Since;

beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
});
afterAll(() => harness.stop());
beforeEach(async () => {
  since = await harness.since();
});

/** Creates a captured payment with an accepted refund. Amounts ending in 1 are approved later. */
async function accepted(): Promise<{ id: string; refund: string }> {
  const id = await harness.captured(630_001);
  const { operation } = await harness.refund(id, { amount: 630_001 });
  return { id, refund: operation?.id ?? '' };
}

/** Advances the clock, and lets the provider answer that it still decides. */
async function wait(ms: number): Promise<void> {
  await harness.pass(ms);
  harness.provider.failNext('still_deciding');
  await reconcileDue(harness.server.app);
  harness.provider.behave();
}

const unknownEntries = async (id: string) =>
  (await historyOf(harness, id)).filter(({ name }) => name === 'payment-connector-outcome-unknown');

const hoursUntil = (moment: string | null | undefined): number =>
  Math.round((new Date(moment ?? 0).getTime() - harness.clock.now().getTime()) / HOUR);

describe('an accepted operation without a decision', () => {
  it('is not unknown before the end of its window', async () => {
    const { id } = await accepted();

    await wait(DAY - HOUR);

    expect([await unresolvedOn(harness, id), await unknownEntries(id)]).toEqual([null, []]);
    // The next look is at the end of the window at the latest.
    await wait(HOUR);
    expect(await unresolvedOn(harness, id)).toMatchObject({ unknown: { cause: 'UNDECIDED' } });
    await harness.sync(id);
  });

  it('is listed after its window, asked every six hours, and recorded once', async () => {
    const { id, refund } = await accepted();
    await wait(DAY + HOUR);
    const found = await unresolvedOn(harness, id);

    for (let asked = 0; asked < 3; asked += 1) await wait(6 * HOUR);

    expect(found).toMatchObject({ status: 'PENDING', unknown: { cause: 'UNDECIDED' } });
    expect(hoursUntil(found?.unknown?.nextAttemptAt)).toBe(6 - 18);
    const later = await unresolvedOn(harness, id);
    expect(later?.unknown).toEqual({ ...found?.unknown, nextAttemptAt: later?.unknown?.nextAttemptAt });
    expect(hoursUntil(later?.unknown?.nextAttemptAt)).toBe(6);
    expect(await unknownEntries(id)).toMatchObject([
      { context: { operation_id: refund, kind: 'refund', cause: 'undecided' } },
    ]);
    // Nothing was sent again.
    expect(since.calls()).toEqual(['authorize', 'refund', 'status', 'status', 'status', 'status']);
    await harness.sync(id);
  });

  it('stays unknown while a look-up has no answer, and after the death of the asking process', async () => {
    const { id } = await accepted();
    await wait(DAY + HOUR);
    const found = await unresolvedOn(harness, id);
    const remove = setFailpoint('refund.looking', () => {
      remove();
      throw new Error('The process died.');
    });

    await wait(6 * HOUR);
    await harness.pass(HOUR);
    harness.provider.failNext('lose_answer');
    await reconcileDue(harness.server.app);

    expect(await unresolvedOn(harness, id)).toMatchObject({
      unknown: { cause: 'UNDECIDED', since: found?.unknown?.since },
      attempts: 4,
    });
    expect(await unknownEntries(id)).toHaveLength(1);
    harness.provider.behave();
    await harness.sync(id);
  });

  it.each([
    [
      'reconciliation',
      async () => {
        await harness.pass(6 * HOUR);
        await reconcileDue(harness.server.app);
      },
    ],
    ['a sync', (id: string) => harness.sync(id)],
  ] as const)('is settled by a late decision, as %s learns', async (_, decide) => {
    const { id } = await accepted();
    await wait(DAY + HOUR);

    await decide(id);

    expect(await unresolvedOn(harness, id)).toBeNull();
    expect(await harness.transaction(id)).toMatchObject({ refundedAmount: 630_001 });
    expect((await since.eventNames()).slice(-2)).toEqual(['refund.pending', 'refund.succeeded']);
  });

  it.each([
    ['succeeded', { refundedAmount: 630_001 }, 'refund.succeeded'],
    ['declined', { refundedAmount: 0, refundable: { amount: 630_001 } }, 'refund.declined'],
  ])('is settled by a webhook: %s', async (decision, money, event) => {
    const { id, refund } = await accepted();
    await wait(DAY + HOUR);
    expect(await unresolvedOn(harness, id)).toMatchObject({ unknown: { cause: 'UNDECIDED' } });
    const asked = since.calls();
    const key = await keyAtProvider(harness, refund);
    const inbox = await inboxOf(harness);
    const count = (await inboundRows(harness)).length;

    expect(await inbox.tell({ id: randomUUID(), idempotency_key: key, event: `refund.${decision}` })).toBe(
      200,
    );
    expect(await ended(harness, count + 1)).toBe('applied');

    expect(await unresolvedOn(harness, id)).toBeNull();
    expect(await harness.transaction(id)).toMatchObject(money);
    expect((await since.eventNames()).at(-1)).toBe(event);
    expect(since.calls()).toEqual(asked);
  });

  it('is settled by a person', async () => {
    const { id, refund } = await accepted();
    await wait(DAY + HOUR);

    await resolve(harness, refund, { outcome: 'FAILED', reason: 'Not there' });

    expect(await unresolvedOn(harness, id)).toBeNull();
    expect(await harness.transaction(id)).toMatchObject({
      refundedAmount: 0,
      refundable: { amount: 630_001 },
    });
  });

  it('is found after its window although nobody can be asked', async () => {
    const { id, refund } = await accepted();
    const { app, merchantAccountId } = harness.server;
    const releaseNow = async (): Promise<void> => {
      const found = await readOperation(app.db, merchantAccountId, refund);
      if (!found) throw new Error('The refund is gone');
      await releaseLease(app, found.operation, null, { never: true });
    };

    await releaseNow();

    const waiting = await readOperation(app.db, merchantAccountId, refund);
    expect(waiting?.operation).toMatchObject({
      unknownAt: null,
      nextAttemptAt: waiting?.operation.decisionUntil,
    });
    await harness.pass(DAY);
    await releaseNow();
    expect(await unresolvedOn(harness, id)).toMatchObject({
      unknown: { cause: 'UNDECIDED', nextAttemptAt: null },
    });
    await harness.sync(id);
  });
});
