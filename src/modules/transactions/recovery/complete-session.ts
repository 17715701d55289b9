import type { App } from '../../../app.ts';
import { completeSession } from '../../../connectors/call-session.ts';
import type { Connector } from '../../../connectors/connector.ts';
import type { CallContext } from '../../../connectors/call-context.ts';
import type { Outcome } from '../../../connectors/outcome.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { isSale } from '../model/transaction.ts';
import type { TakenOverClaim } from '../engine/claim.ts';

/**
 * Lets the provider carry out a completed session, under the key of the authorisation. Repeats the call when an earlier
 * answer is unknown. Sends nothing after the lease, because another process may have continued the payment.
 */
export async function completeAt(
  app: App,
  { operation, transaction }: TakenOverClaim,
  connector: Connector,
  context: CallContext,
): Promise<Outcome> {
  const { id: key, providerReference: reference, leaseUntil, amount, currency } = operation;
  if (reference === null) throw new Error(`Operation ${key} has no session`);
  if (!leaseUntil || app.clock.now() >= leaseUntil) return { kind: 'unknown', cause: 'timeout' };
  await failpoint('approval.carrying_out');
  const money = { amount, currency };
  const capture = isSale(transaction);
  const outcome = await completeSession(connector, context, app.log, { key, reference, money, capture });
  await failpoint('approval.carried_out');
  return outcome;
}
