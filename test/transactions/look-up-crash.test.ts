import { afterEach, describe, expect, it } from '@jest/globals';
import { lookUpDue, reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { openShop } from '../connectors/kit/shop.ts';
import { startMollie } from '../connectors/mollie/start.ts';
import { applyAfter } from './inbox.ts';

// A process may end at any point of a look-up. The truth is booked once, whoever goes on.

const shop = await openShop((now) => startMollie({ now }, 'mollie-card'));
const { double, harness, prisma, service } = shop;

let stop = (): void => undefined;
afterEach(() => stop());

const ledger = async (transactionId: string) =>
  (await prisma.ledgerEntry.findMany({ where: { transactionId }, orderBy: { id: 'asc' } })).map(
    ({ kind, amount }) => `${kind} ${amount}`,
  );

async function knock(payment: string): Promise<number> {
  const answer = await fetch(service.webhookUrl, { method: 'POST', body: `id=${payment}` });
  await answer.arrayBuffer();
  await harness.server.http.webhooksApplied();
  return answer.status;
}

/** Lets all loops work for a while. */
async function goOn(): Promise<void> {
  for (let round = 0; round < 6; round += 1) {
    await applyAfter(harness, 30_000);
    await lookUpDue(harness.server.app);
    await reconcileDue(harness.server.app);
  }
}

/** Begins a payment on Mollie's page that the buyer has paid. No webhook has told so. */
async function unheard() {
  const { id, payment } = await shop.paid({
    ...{ intent: 'CAPTURE', paymentMethod: { redirect: { method: 'card' } } },
    redirectUrl: 'https://shop.example/back',
  });
  double.hands.decide(payment, 'approve');
  return { id, payment, truth: ['authorize 1299', 'capture 1299'] };
}

/** A payment with a refund of a person. No webhook has told of the refund. */
async function refunded() {
  const { id, payment, truth } = await unheard();
  await knock(payment);
  await harness.pass(60_000);
  double.hands.refund(payment, 300);
  return { id, payment, truth: [...truth, 'refund 300'] };
}

const CASES = { 'a payment': unheard, 'a refund of a person': refunded } as const;

/** Lists the points that a look-up passes. */
async function pointsOf(begin: (typeof CASES)[keyof typeof CASES]): Promise<readonly string[]> {
  const { id, payment, truth } = await begin();
  const passed = new Set<string>();
  const end = setFailpoint('*', (name) => void passed.add(name));
  await knock(payment);
  end();
  expect(await ledger(id)).toEqual(truth);
  return [...passed];
}

describe.each(Object.entries(CASES))('%s', (_, begin) => {
  it('is booked once by one look-up, and once after the end of a process at each point', async () => {
    const points = await pointsOf(begin);
    expect(points.length).toBeGreaterThan(3);

    for (const point of points) {
      const { id, payment, truth } = await begin();
      let died = 0;
      stop = setFailpoint(point, () => {
        died += 1;
        if (died === 1) throw new Error(`The process ended at ${point}.`);
      });
      const status = await knock(payment);
      stop();
      // The provider repeats a webhook without the answer 200.
      if (status !== 200) await knock(payment);
      await goOn();

      expect([point, died > 0, await ledger(id)]).toEqual([point, true, truth]);
      expect(await prisma.difference.count({ where: { transactionId: id } })).toBe(0);
    }
  });
});
