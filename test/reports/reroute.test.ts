import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { rebuildReports } from '../../src/modules/reports/index.ts';
import { createService } from '../transactions/harness.ts';
import {
  cardOf,
  CHALLENGED,
  startThreeDSHarness,
  type ThreeDSHarness,
} from '../transactions/three-ds-harness.ts';
import { countAll } from './count-all.ts';

/** A code of the sandbox. The payment may go on at the next service after it. */
const DECLINED = 200_012;

const HOUR_MS = 3_600_000;

let harness: ThreeDSHarness;

beforeAll(async () => {
  harness = await startThreeDSHarness();
  await createService(harness.server, harness.provider.url, { displayName: 'Asked first' });
  // The service that is asked second challenges the buyer, and the first one does not.
  await harness.set({ position: 3 });
});
afterAll(() => harness.stop());

const app = () => harness.server.app;

async function declinesBy3DS(from: Date): Promise<Readonly<Record<string, number>>> {
  const { transactionReport } = await harness.ask<{
    transactionReport: { rows: readonly { value: string; declined: { count: number } }[] };
  }>(
    `query ($from: DateTime!, $to: DateTime!) {
      transactionReport(from: $from, to: $to, timeZone: "UTC", groupBy: THREE_D_SECURE) { rows { value declined { count } } } }`,
    { from, to: new Date(from.getTime() + HOUR_MS) },
  );
  return Object.fromEntries(transactionReport.rows.map(({ value, declined }) => [value, declined.count]));
}

it.each([
  ['counted during the challenge', true],
  ['counted at the end', false],
])('a refusal keeps the values of its own time: %s', async (_, isEarly) => {
  const now = harness.clock.now().getTime();
  await harness.pass(HOUR_MS - (now % HOUR_MS));
  const from = new Date(now - (now % HOUR_MS) + HOUR_MS);
  const payment = await harness.pay({ amount: DECLINED, ...cardOf(CHALLENGED) });
  expect(payment.attempts.map(({ status }) => status)).toEqual(['DECLINED', 'PENDING']);

  if (isEarly) await countAll(app());
  await harness.say(payment, 'approved');
  await countAll(app());

  expect(await declinesBy3DS(from)).toEqual({ none: 1, complete: 1 });
  expect(await rebuildReports(app(), 'default', { write: false })).toEqual([]);
});
