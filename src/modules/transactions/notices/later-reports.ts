import type { App } from '../../../app.ts';
import type { Connector } from '../../../connectors/interface/connector.ts';
import type { LaterReport, SimulatedSuccess } from '../../../connectors/notices/webhook.ts';
import { connectionOf, findConnectionRows } from '../../payment-services/index.ts';
import type { Operated, Operation } from '../model/operation.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import { providerKeyOf } from '../model/provider-keys.ts';
import { isSale } from '../model/transaction.ts';
import { storeNotice } from './store-notice.ts';

/**
 * Stores the reports that a provider simulated in this process will make about a success. Each report counts as received at
 * its own time. Production has no such reports.
 *
 * Commits once for each report, before the success itself. A crash between leaves the operation pending. Its next outcome is
 * the same, and the repeated reports have the same keys.
 */
export async function storeLaterReports(app: App, operated: Operated, outcome: FinalOutcome): Promise<void> {
  if (app.config.production || outcome.kind !== 'succeeded') return;
  const success = successOf(operated, outcome.reference);
  if (success === null) return;
  const now = app.clock.now();
  for (const connector of app.connectors) {
    const reports = connector.webhooks?.later?.about(success, now) ?? [];
    if (reports.length > 0 && (await isSimulatedBy(app, connector, operated.operation)))
      await storeAll(app, operated.operation, reports);
  }
}

/** Returns the facts about a success that its provider knows. Null for a movement of a gift card, and for a release. */
function successOf({ operation, transaction }: Operated, reference: string): SimulatedSuccess | null {
  const { kind, redemptionId, amount, currency, tokenizes } = operation;
  if (kind === 'redeem' || kind === 'unredeem' || kind === 'release' || redemptionId !== null) return null;
  return {
    ...{ verb: kind, key: providerKeyOf(operation), reference, money: { amount, currency }, tokenizes },
    captures: kind === 'capture' || (kind === 'authorize' && isSale(transaction)),
  };
}

/** True when the payment service of an operation belongs to the connector, which simulates its provider. */
async function isSimulatedBy(
  app: App,
  connector: Connector,
  { merchantAccountId, paymentServiceId }: Operation,
): Promise<boolean> {
  const [row] = await findConnectionRows(app, merchantAccountId, [paymentServiceId]);
  if (!row) return false;
  const opened = await connectionOf(app, merchantAccountId, row);
  return (
    opened.connector === connector && connector.webhooks?.later?.isSimulated(opened.credentials) === true
  );
}

async function storeAll(
  app: App,
  { merchantAccountId, paymentServiceId }: Operation,
  reports: readonly LaterReport[],
): Promise<void> {
  for (const { notice, at } of reports)
    await storeNotice(app, { merchantAccountId, paymentServiceId, notice, receivedAt: at }, at);
}
