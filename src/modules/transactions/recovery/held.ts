import type { App } from '../../../app.ts';
import { lookUp } from '../../../connectors/calls/call.ts';
import { findConnectionRows, openCall } from '../../payment-services/index.ts';
import type { Operated } from '../model/operation.ts';
import { providerKeyOf } from '../model/provider-keys.ts';

/**
 * Asks the provider whether an authorisation still holds its money. Moves no money. Null if the provider does not tell.
 * The money counts as held until the provider explicitly refuses the authorisation.
 */
export async function askIfHeld(app: App, { operation, transaction }: Operated): Promise<boolean | null> {
  const { merchantAccountId, paymentServiceId } = operation;
  const [row] = await findConnectionRows(app, merchantAccountId, [paymentServiceId]);
  if (!row) return null;
  const { connector, context } = await openCall(app, merchantAccountId, row);
  const outcome = await lookUp(connector, context, app.log, {
    ...{ key: providerKeyOf(operation), verb: 'authorize', createdAt: operation.createdAt },
    ...{ approval: null, resuming: false },
    reference: transaction.paymentServiceTransactionId,
    money: { amount: transaction.authorizedAmount, currency: transaction.currency },
    accountEnding: transaction.bank?.lastFour ?? null,
  });
  if (outcome === null || outcome.kind === 'unknown' || outcome.kind === 'accepted') return null;
  return outcome.kind === 'succeeded';
}
