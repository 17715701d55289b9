import type { App } from '../../../app.ts';
import { resumePayment } from '../../../connectors/calls/call-resume.ts';
import type { Connector } from '../../../connectors/interface/connector.ts';
import type { CallContext } from '../../../connectors/interface/call-context.ts';
import type { Outcome } from '../../../connectors/interface/outcome.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { openReturned } from '../awaiting/returned.ts';
import { isSale } from '../model/transaction.ts';
import type { TakenOverClaim } from '../claim/claim.ts';
import { providerKeyOf } from '../model/provider-keys.ts';

/**
 * Lets the provider continue an authorisation whose buyer came back, or whose client completed its session. The key is
 * that of the authorisation, and the parameters are the stored ones. Repeats the call when an earlier answer is unknown.
 * Sends nothing after the lease, because another process may have continued the payment.
 */
export async function resumeAt(
  app: App,
  { operation, transaction }: TakenOverClaim,
  connector: Connector,
  context: CallContext,
): Promise<Outcome> {
  const { providerReference: reference, leaseUntil, amount, currency } = operation;
  if (reference === null) throw new Error(`Operation ${operation.id} was never accepted`);
  const returned = await openReturned(app, operation);
  if (!leaseUntil || app.clock.now() >= leaseUntil) return { kind: 'unknown', cause: 'timeout' };
  await failpoint('approval.carrying_out');
  const outcome = await resumePayment(connector, context, app.log, {
    ...{ key: providerKeyOf(operation), reference, money: { amount, currency } },
    ...{ capture: isSale(transaction), returned },
  });
  await failpoint('approval.carried_out');
  return outcome;
}
