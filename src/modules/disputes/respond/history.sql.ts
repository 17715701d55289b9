import type { App } from '../../../app.ts';
import { queryIn, type Tx } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { DisputeFinding } from '../record-rules.ts';
import type { Responded } from './response.ts';

const recordStatement = prepareFile(import.meta, 'record-dispute-response.sql');

/** Adds the outcome of a response to the history of its payment. `finding` says why a loss is not booked. */
export async function recordResponse(
  app: App,
  tx: Tx,
  { dispute, response, finding }: Responded & { readonly finding: DisputeFinding | null },
): Promise<void> {
  const { merchantAccountId: account, transactionId: transaction } = dispute;
  const context = {
    ...{ dispute_id: dispute.id, payment_service_dispute_id: dispute.providerReference },
    ...{ response_id: response.id, kind: response.kind, stage: response.stage, status: response.status },
    ...{ code: response.errorCode, lost_amount: dispute.lostAmount, finding },
  };
  await queryIn(tx).query(
    recordStatement({
      ...{ account, id: app.ids.uuid(), transaction, context: JSON.stringify(context), now: app.clock.now() },
    }),
  );
}
