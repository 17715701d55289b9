import { fetchDueSettlements } from '../../src/modules/settlements/index.ts';
import type { TestServer } from '../support/server.ts';
import { inboxAt, type Reported } from '../transactions/inbox.ts';

type Run = <Data>(text: string) => Promise<Data>;

const SECRET = 'whs_of_the_router_test';
const SETTLED_MS = 26 * 3_600_000;

/** The ids of records that a provider reports days after a payment. */
export type LaterIds = Readonly<Record<'dispute' | 'settlement' | 'difference' | 'unreadWebhook', string>>;

/**
 * Makes a payment with a dispute, a difference and settlements, as the provider reports them. One report cannot be read.
 */
export async function makeLaterRecords(
  { app, url, http }: Pick<TestServer, 'app' | 'url' | 'http'>,
  run: Run,
): Promise<LaterIds> {
  const { service } = await run<{ service: { paymentService: { id: string; webhookUrl: string } } }>(
    `mutation { service: createPaymentService(input: { displayName: "Settling",
       paymentServiceDefinitionId: "mock-acquirer", settlementReportingEnabled: true,
       acceptedCurrencies: ["EUR"], acceptedCountries: ["US"],
       fields: [{ key: "merchant_id", value: "shop" }, { key: "webhook_secret", value: "${SECRET}" }] }) {
         paymentService { id webhookUrl } } }`,
  );
  const { paid } = await run<{ paid: { transaction: { id: string; paymentServiceTransactionId: string } } }>(
    `mutation { paid: createTransaction(input: { amount: 1000, currency: "EUR", intent: CAPTURE,
       paymentServiceId: "${service.paymentService.id}",
       paymentMethod: { card: { number: "4111 1111 1111 1111", expirationDate: "12/40" } } }) {
         transaction { id paymentServiceTransactionId } } }`,
  );
  const { pathname } = new URL(service.paymentService.webhookUrl);
  const inbox = inboxAt(`${url}${pathname}`);
  const tell = async (reported: Reported): Promise<void> => {
    const about = { payment_service_transaction_id: paid.transaction.paymentServiceTransactionId };
    const status = await inbox.tell({ ...about, ...reported }, SECRET);
    if (status !== 200) throw new Error(`The report ${String(reported.event)} got ${status}.`);
  };
  await tell({ event: 'refund.succeeded', payment_service_reference: 're_1', amount: 1, currency: 'USD' });
  await tell({ event: 'refund.succeeded', payment_service_reference: 're_2', amount: 1 });
  await tell({
    ...{ id: 'wh_1', event: 'dispute.created', dispute_reference: 'dp_router', stage: 'chargeback' },
    ...{
      status: 'needs_response',
      reason: 'fraudulent',
      reason_code: '10.4',
      amount: 1000,
      currency: 'EUR',
    },
    ...{ occurred_at: app.clock.now().toISOString(), respond_by: '2040-01-01T00:00:00Z' },
  });
  await http.webhooksApplied();
  const later = { ...app, clock: { ...app.clock, now: () => new Date(Date.now() + SETTLED_MS) } };
  while (await fetchDueSettlements(later));
  const found = await run<{
    transaction: { disputes: { id: string }[] };
    settlements: { nodes: { id: string }[] };
    differences: { nodes: { id: string }[] };
    unreadWebhooks: { nodes: { id: string }[] };
  }>(
    `{ transaction(id: "${paid.transaction.id}") { disputes { id } } settlements(first: 5) { nodes { id } }
      differences(first: 1) { nodes { id } } unreadWebhooks(first: 1) { nodes { id } } }`,
  );
  const [dispute, settlement] = [found.transaction.disputes[0], found.settlements.nodes.at(-1)];
  const [difference, unread] = [found.differences.nodes[0], found.unreadWebhooks.nodes[0]];
  if (!dispute || !settlement || !difference || !unread)
    throw new Error(`The provider reported nothing: ${JSON.stringify(found)}`);
  return {
    ...{ dispute: dispute.id, settlement: settlement.id },
    ...{ difference: difference.id, unreadWebhook: unread.id },
  };
}
