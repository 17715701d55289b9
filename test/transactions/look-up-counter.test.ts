import { expect, it } from '@jest/globals';
import { lookUpDue } from '../../src/modules/transactions/index.ts';
import { openLookUpShop } from './look-up-shop.ts';

const { begun, called, calls, double, harness, knock, lookUp } = await openLookUpShop({
  PAYGRAPH_METRICS: 'true',
});

/** Reads the look-ups that the process counted, by outcome. */
async function counted(): Promise<Readonly<Record<string, number>>> {
  const text = await (await fetch(`${harness.server.url}/metrics`)).text();
  const samples = text.matchAll(/^paygraph_look_ups_total\{outcome="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...samples].map(([, outcome = '', count]) => [outcome, Number(count)]));
}

it('each look-up counts once, by its outcome', async () => {
  const { payment } = await begun();
  await knock(payment);
  expect(await counted()).toEqual({ answered: 1 });
  double.failNext(['error_before_work'], /^GET/);
  await knock(payment);
  expect(await counted()).toEqual({ answered: 1, silent: 1 });
  await knock(payment);
  await knock(payment);
  expect(await counted()).toEqual({ answered: 2, silent: 1, postponed: 1 });
  await lookUp();
  expect(await counted()).toEqual({ answered: 3, silent: 1, postponed: 1 });
});

it('a look-up whose payment another look-up has claimed counts, too', async () => {
  const { payment } = await begun();
  double.failNext(['error_before_work'], /^GET/);
  await knock(payment);
  const before = await counted();
  await harness.pass(61_000);
  calls();
  double.failNext(['hang'], /^GET/);
  const due = lookUpDue(harness.server.app);
  await called(1);

  await knock(payment);

  expect(await counted()).toEqual({ ...before, claimed: 1 });
  double.release();
  await due;
  expect(await counted()).toEqual({ ...before, claimed: 1, answered: (before['answered'] ?? 0) + 1 });
});

it('a webhook that names no payment of ours counts nothing', async () => {
  const before = await counted();
  await knock('tr_unknown');
  expect(await counted()).toEqual(before);
});
