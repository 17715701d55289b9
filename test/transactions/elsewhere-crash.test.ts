import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { applyAfter } from './inbox.ts';
import { startTakeBacks, type TakeBacks } from './take-backs.ts';

// A process dies at each point of the booking of an operation that was made at the provider.

let play: TakeBacks;
beforeAll(async () => {
  play = await startTakeBacks();
});
afterAll(() => play.harness.stop());

it.each(['inbound.stored', 'inbound.matched', 'elsewhere.booking', 'elsewhere.booked', 'inbound.applied'])(
  'a refund at the provider is booked once although the process dies at %s',
  async (point) => {
    const id = await play.pay({ intent: 'CAPTURE' });
    const since = await play.harness.since();
    const { providerReference } = await play.operation(id, 'authorize');
    const reference = randomUUID();
    let deaths = 0;
    const live = setFailpoint(point, () => {
      deaths += 1;
      throw new Error('The process dies');
    });
    const report = {
      ...{ id: randomUUID(), event: 'refund.succeeded', amount: 400, currency: 'EUR' },
      ...{ payment_service_reference: reference, payment_service_transaction_id: providerReference },
    };
    await play.post(report);
    await play.harness.server.http.webhooksApplied();
    live();
    await play.post(report);

    await applyAfter(play.harness, 60_000);

    expect(deaths).toBeGreaterThanOrEqual(1);
    expect(await play.money(id)).toMatchObject({ refundedAmount: 400, refundable: { amount: 600 } });
    expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 1000', 'refund 400']);
    expect(await since.eventNames()).toEqual(['refund.succeeded']);
  },
);

it('a finding about a booking is listed although the process dies right after the booking', async () => {
  const id = await play.pay({ intent: 'CAPTURE' });
  const { providerReference } = await play.operation(id, 'authorize');
  const reference = randomUUID();
  await play.post({
    ...{ id: randomUUID(), event: 'refund.succeeded', amount: 1_400, currency: 'EUR' },
    ...{ payment_service_reference: reference, payment_service_transaction_id: providerReference },
  });
  await play.harness.server.http.webhooksApplied();
  const live = setFailpoint('elsewhere.booked', () => {
    throw new Error('The process dies');
  });
  await applyAfter(play.harness, 2 * 3_600_000);
  live();

  await applyAfter(play.harness, 60_000);

  expect(await play.money(id)).toMatchObject({ refundedAmount: 1_400 });
  const listed = await play.harness.server.app.db.prisma.difference.findMany({
    where: { transactionId: id },
    select: { finding: true, source: true, subject: true, kind: true, reportedAmount: true, state: true },
  });
  expect(listed).toEqual([
    {
      ...{ finding: 'refunded_exceeds_captured', source: 'notice', subject: reference },
      ...{ kind: 'refund', reportedAmount: 1_400, state: 'open' },
    },
  ]);
});
