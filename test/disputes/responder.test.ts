import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startDisputeResponder } from '../../src/modules/disputes/index.ts';
import { AT_ONE_SERVICE } from '../../src/modules/disputes/respond/responder.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { until, untilFound } from '../support/until.ts';
import { createService } from '../transactions/harness.ts';
import { inboxOf } from '../transactions/inbox.ts';
import { SECRET } from '../transactions/take-backs.ts';
import { startDisputes, type Disputes, type Sale } from './harness.ts';
import { responsesTo } from './responses.ts';

let disputes: Disputes;
let other: FakeProvider;
let service: string;
const { accept, opened, rows, callsFor } = responsesTo(() => disputes);

beforeAll(async () => {
  disputes = await startDisputes();
  other = await startFakeProvider();
  service = await createService(disputes.play.harness.server, other.url, {
    ...{ definitionId: 'mock-acquirer', displayName: 'Another provider', currencies: ['CHF'] },
    webhookSecret: SECRET,
  });
});
afterAll(async () => {
  await disputes.play.harness.stop();
  await other.close();
});

/** Creates an open dispute at the other payment service. */
async function openedElsewhere(): Promise<Sale & { open: string }> {
  const { play } = disputes;
  const id = await play.pay({ currency: 'CHF', intent: 'CAPTURE' });
  const { providerReference: payment } = await play.operation(id, 'authorize');
  const dispute = `dp_${id}`;
  const inbox = await inboxOf(play.harness, service);
  await inbox.tell(
    {
      ...{ event: 'dispute.created', payment_service_transaction_id: payment, dispute_reference: dispute },
      ...{ stage: 'chargeback', status: 'needs_response', amount: 1000, currency: 'CHF' },
    },
    SECRET,
  );
  const sale = { id, payment: payment ?? '', dispute };
  return { ...sale, open: await untilFound(async () => (await disputes.of(sale))[0]?.id ?? null) };
}

it('sends to other payment services while one provider is silent', async () => {
  const { server, provider, clock } = disputes.play.harness;
  const silent: (Sale & { readonly open: string })[] = [];
  for (let count = 0; count <= AT_ONE_SERVICE; count += 1) {
    const sale = await opened({ respond_by: null });
    provider.failNext('lose_answer');
    await accept(sale.open);
    silent.push(sale);
  }
  const answering = await openedElsewhere();
  other.failNext('lose_answer');
  await accept(answering.open);
  const callCount = () => silent.flatMap(({ dispute }) => callsFor(dispute)).length - silent.length;
  provider.failNext(...silent.map(() => 'hang' as const));
  clock.advance(60_000);

  const responder = startDisputeResponder(server.app);
  await until(() => callCount() === AT_ONE_SERVICE);
  await until(async () => (await rows(answering.open))[0]?.status === 'succeeded');

  expect(callCount()).toBe(AT_ONE_SERVICE);
  provider.release();
  await until(() => callCount() === silent.length);
  provider.release();
  await responder.stop();
  for (const { open } of silent) expect(await rows(open)).toMatchObject([{ status: 'succeeded' }]);
});
