import type { App } from '../../app.ts';
import type { Tx } from '../../platform/database/db.ts';
import { recordEvent } from '../event-log/index.ts';
import type { Settlement } from './settlement.ts';

export type SettlementEvent = 'difference-found' | 'difference-resolved' | 'difference-explained';

/** Records `settlement.<event>`, in the transaction of the change. */
export const recordSettlementEvent = (
  app: App,
  tx: Tx,
  event: SettlementEvent,
  settlement: Settlement,
): Promise<void> =>
  recordEvent(tx, {
    ...commonOf(app, settlement),
    name: `settlement.${event}`,
    target: {
      type: 'settlement',
      id: settlement.id,
      payment_service_id: settlement.paymentServiceId,
      payment_service_settlement_id: settlement.reference,
      kind: settlement.kind,
      payment_service_kind: settlement.providerKind,
      report_line: settlement.line,
      transaction_id: settlement.transactionId,
      operation_id: settlement.operationId,
      gross: settlement.gross,
      fee: settlement.fee,
      net: settlement.net,
      currency: settlement.currency,
      settled_on: settlement.settledOn,
      difference: settlement.difference,
      explanation: settlement.explanation,
      created_at: settlement.createdAt.toISOString(),
      updated_at: settlement.updatedAt.toISOString(),
    },
  });

/** Records `payout.created`, in the transaction that stores the payout. */
export const recordPayoutEvent = (app: App, tx: Tx, payout: Settlement): Promise<void> =>
  recordEvent(tx, {
    ...commonOf(app, payout),
    name: 'payout.created',
    target: {
      type: 'payout',
      id: payout.id,
      payment_service_id: payout.paymentServiceId,
      payment_service_payout_id: payout.payoutReference,
      amount: payout.gross === 0 ? 0 : -payout.gross,
      fee: payout.fee,
      currency: payout.currency,
      settled_on: payout.settledOn,
      created_at: payout.createdAt.toISOString(),
    },
  });

const commonOf = (app: App, { merchantAccountId, updatedAt }: Settlement) => ({
  ...{ merchantAccountId, id: app.ids.uuid(), createdAt: updatedAt, production: app.config.production },
});
