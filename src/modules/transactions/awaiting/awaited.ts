import type { App } from '../../../app.ts';
import { approvalTokenOf } from './approval-page.ts';
import type { Operation } from '../model/operation.ts';
import type { AcceptedOutcome } from '../model/outcome.ts';
import { digestOf, tokenFor } from './session-token.ts';

/**
 * The part of the buyer in an accepted authorisation.
 * - `redirect`: the buyer decides at the provider's page.
 * - `session`: the buyer approves in the merchant's client, which then completes the payment.
 * - `voucher`: the buyer pays elsewhere.
 */
export type Awaited = {
  readonly kind: 'redirect' | 'session' | 'voucher';
  /** The token of the page. */
  readonly token: string;
  /** The digests of a session's two tokens. Null for other kinds. */
  readonly digests: { readonly session: string; readonly completion: string } | null;
};

/** Returns the buyer's part in an accepted authorisation. Null when the provider alone decides. */
export async function awaitedOf(
  app: App,
  operation: Operation,
  outcome: AcceptedOutcome,
): Promise<Awaited | null> {
  const kind = operation.kind === 'authorize' ? kindOf(outcome) : null;
  if (!kind) return null;
  const digest = async (purpose: 'session' | 'completion') =>
    digestOf(await tokenFor(app, purpose, operation));
  const digests =
    kind === 'session' ? { session: await digest('session'), completion: await digest('completion') } : null;
  return { kind, token: await approvalTokenOf(app, operation), digests };
}

function kindOf({ approvalUrl, session, paymentReference }: AcceptedOutcome): Awaited['kind'] | null {
  if (paymentReference !== undefined) return 'voucher';
  if (session) return 'session';
  return approvalUrl === undefined ? null : 'redirect';
}
