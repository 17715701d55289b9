import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  ACCEPTANCES,
  holdPayments,
  readProgress,
  reconcileDue,
  releasePayments,
} from '../../src/modules/transactions/index.ts';
import { createSteppedClock } from '../support/stepped-clock.ts';
import { startHarness, type Harness } from './harness.ts';

// A provider may accept an operation and decide for days. A hold after a restore tells such operations apart from those
// without any answer. An option of their own accepts them.

const HOUR_MS = 3_600_000;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness('mock-acquirer', { clock: createSteppedClock() });
});
afterAll(() => harness.stop());

/** Counts the operations without an outcome. */
async function waiting(): Promise<readonly (number | undefined)[]> {
  const { unknown, undecided } = (await readProgress(harness.server.app)) ?? {};
  return [unknown, undecided];
}

const hold = (): Promise<boolean> =>
  holdPayments(harness.server.app, { restoredTo: harness.clock.now(), paymentsSince: null });

const pendingOf = (transactionId: string) => ({ transactionId, kind: 'refund', status: 'pending' });

/** Asks about the operations again, with a fault of the provider. */
async function askedAgain(
  fault: 'still_deciding' | 'lose_request' | 'nonsense' | 'not_found',
): Promise<void> {
  harness.provider.failNext(fault);
  await hold();
  await reconcileDue(harness.server.app);
}

/** Lets the decisions come, and ends the hold. */
async function end(): Promise<void> {
  await harness.pass(7 * HOUR_MS);
  await reconcileDue(harness.server.app);
  expect(await releasePayments(harness.server.app, ACCEPTANCES)).toMatchObject({ ok: true });
}

it('an accepted operation without a decision has an option of its own', async () => {
  const { app } = harness.server;
  const id = await harness.captured(630_001);
  await harness.refund(id, { amount: 630_001 });
  const acceptedAt = harness.clock.now();
  await harness.pass(HOUR_MS);
  await hold();

  // The provider may have decided since the backup, so the acceptance counts only after a question.
  expect(await waiting()).toEqual([1, 0]);
  harness.provider.failNext('still_deciding');
  await harness.pass(1_000);
  await reconcileDue(app);

  expect(await waiting()).toEqual([0, 1]);
  expect(await readProgress(app)).toMatchObject({ undecidedSince: acceptedAt });
  const others = ACCEPTANCES.filter((each) => each !== 'undecided');
  const reason = { doubt: 'undecided', count: 1 };
  expect(await releasePayments(app, others)).toEqual({ ok: false, refusals: [reason] });
  expect(await releasePayments(app, ['undecided', 'anyway'])).toMatchObject({
    ...{ ok: true, value: expect.arrayContaining([reason]) as unknown },
  });
  // The decision still comes.
  await harness.pass(7 * HOUR_MS);
  await reconcileDue(app);
  expect(await harness.transaction(id)).toMatchObject({ refundedAmount: 630_001 });
});

it.each(['lose_request', 'nonsense', 'not_found'] as const)(
  'an accepted operation is not undecided after a question with the end %s',
  async (fault) => {
    const { app } = harness.server;
    const id = await harness.captured(630_001);
    await harness.refund(id, { amount: 630_001 });
    await harness.pass(HOUR_MS);
    await hold();
    harness.provider.failNext(fault);
    await harness.pass(1_000);
    await reconcileDue(app);

    expect(await waiting()).toEqual([1, 0]);
    // The next question gets an answer.
    await askedAgain('still_deciding');
    expect(await waiting()).toEqual([0, 1]);
    // A later question without an answer changes nothing about that.
    await askedAgain(fault);
    expect(await waiting()).toEqual([0, 1]);
    await end();
  },
);

it('an accepted operation is not undecided if the command died before it made the operation due', async () => {
  const { app } = harness.server;
  const id = await harness.captured(630_001);
  await harness.refund(id, { amount: 630_001 });
  await harness.pass(HOUR_MS);
  const { prisma } = app.db;
  // The command that began the hold ended before it made the operation due.
  const { nextAttemptAt } = await prisma.operation.findFirstOrThrow({ where: pendingOf(id) });
  await hold();
  await prisma.operation.updateMany({ where: pendingOf(id), data: { nextAttemptAt } });

  expect(await waiting()).toEqual([1, 0]);
  await end();
});

it('an operation without any answer is not accepted by that option', async () => {
  const { app } = harness.server;
  const id = await harness.authorized(1000);
  harness.provider.failNext('lose_request');
  await harness.capture(id);
  await hold();
  harness.provider.failNext('lose_request');
  await harness.pass(1_000);
  await reconcileDue(app);

  expect(await waiting()).toEqual([1, 0]);
  expect(await releasePayments(app, ['undecided', 'unproven', 'unanswered'])).toMatchObject({
    refusals: expect.arrayContaining([{ doubt: 'unknown', count: 1 }]) as unknown,
  });
  expect(await releasePayments(app, ['anyway'])).toMatchObject({ ok: true });
});
