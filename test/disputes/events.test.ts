import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { relayAll } from '../support/relay-all.ts';
import { at, startDisputes, type Disputes } from './harness.ts';

let disputes: Disputes;

beforeAll(async () => {
  disputes = await startDisputes();
  await disputes.play.harness.ask(
    `mutation { createWebhookEndpoint(input: { url: "http://127.0.0.1:9/disputes", eventNames: ["dispute.*"] }) {
      userErrors { message } } }`,
  );
});
afterAll(() => disputes.play.harness.stop());

type Found = {
  readonly name: string;
  readonly payload: string;
  readonly deliveries: readonly unknown[];
};

it('the events of a dispute are in the feed of its payment, and go to endpoints', async () => {
  const { harness } = disputes.play;
  const sale = await disputes.sale();
  await disputes.report(sale, { amount: 400 });
  await disputes.report(sale, { amount: 400, status: 'lost', occurred_at: at(1) });
  await relayAll(harness.server.app);

  const { transaction } = await harness.ask<{ transaction: { feedEvents: { nodes: readonly Found[] } } }>(
    `query ($id: ID!) { transaction(id: $id) { feedEvents(first: 10) {
      nodes { name payload transaction { id } deliveries(first: 5) { state } } } } }`,
    { id: sale.id },
  );

  const [dispute] = await disputes.of(sale);
  const found = transaction.feedEvents.nodes.filter(({ name }) => name.startsWith('dispute.'));
  expect(found).toMatchObject([
    { name: 'dispute.created', transaction: { id: sale.id }, deliveries: [{}] },
    { name: 'dispute.lost', transaction: { id: sale.id }, deliveries: [{}] },
  ]);
  expect((JSON.parse(found[1]?.payload ?? '') as { target: unknown }).target).toEqual({
    ...{ type: 'dispute', id: dispute?.id, transaction_id: sale.id, stage: 'chargeback', status: 'lost' },
    ...{ payment_service_id: expect.any(String), payment_service_dispute_id: sale.dispute },
    ...{ reason: 'fraudulent', reason_code: '10.4', amount: 400, currency: 'EUR', lost_amount: 400 },
    ...{ respond_by: null, response: null, created_at: expect.any(String), updated_at: expect.any(String) },
  });
});

it('the audit log names the provider of a report and the key of a response, and hides the evidence', async () => {
  const { harness } = disputes.play;
  const sale = await disputes.sale();
  await disputes.report(sale, { respond_by: null });
  const [dispute] = await disputes.of(sale);
  await harness.ask(
    `mutation ($id: ID!) { submitDisputeEvidence(
      id: $id, input: { texts: [{ kind: OTHER, text: "The words of the merchant." }] }) { userErrors { code } } }`,
    { id: dispute?.id },
  );

  const { auditLog } = await harness.ask<{
    auditLog: { nodes: readonly Readonly<Record<string, unknown>>[] };
  }>(
    `query ($id: String!) { auditLog(filter: { targetId: $id }) {
      nodes { action actor { kind } before after } } }`,
    { id: dispute?.id },
  );

  const entries = auditLog.nodes.toReversed();
  expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
    ['dispute.created', { kind: 'PROVIDER' }],
    ['dispute-response.created', { kind: 'API_KEY' }],
    ['dispute.updated', { kind: 'API_KEY' }],
    ['dispute-response.updated', { kind: 'API_KEY' }],
  ]);
  expect(JSON.stringify(entries)).not.toContain('words of the merchant');
  expect(entries[1]?.['after']).toMatchObject({
    kind: 'evidence',
    status: 'pending',
    sealedEvidence: '(hidden)',
  });
});
