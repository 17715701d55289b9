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

it('an accepted operation without a decision has an option of its own', async () => {
  const { app } = harness.server;
  const id = await harness.captured(630_001);
  await harness.refund(id, { amount: 630_001 });
  const acceptedAt = harness.clock.now();
  await harness.pass(HOUR_MS);
  await holdPayments(app, { restoredTo: harness.clock.now(), paymentsSince: null });

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

it('an operation without any answer is not accepted by that option', async () => {
  const { app } = harness.server;
  const id = await harness.authorized(1000);
  harness.provider.failNext('lose_request');
  await harness.capture(id);
  await holdPayments(app, { restoredTo: harness.clock.now(), paymentsSince: null });
  harness.provider.failNext('lose_request');
  await harness.pass(1_000);
  await reconcileDue(app);

  expect(await waiting()).toEqual([1, 0]);
  expect(await releasePayments(app, ['undecided', 'unproven', 'unanswered'])).toMatchObject({
    refusals: expect.arrayContaining([{ doubt: 'unknown', count: 1 }]) as unknown,
  });
  expect(await releasePayments(app, ['anyway'])).toMatchObject({ ok: true });
});
