import type { App } from '../../../app.ts';
import { approvalTokenOf } from './approval-page.ts';
import type { Operation } from '../model/operation.ts';
import type { AcceptedOutcome } from '../model/outcome.ts';
import { digestOf, tokenFor } from './session-token.ts';

/**
 * What an authorisation that was taken on awaits of the buyer. `redirect`: a word at the provider's page; `session`: to approve
 * in a client of the merchant's, which then completes the payment; `voucher`: to pay elsewhere.
 */
export type Awaited = {
  readonly kind: 'redirect' | 'session' | 'voucher';
  /** Of the page. */
  readonly token: string;
  /** Of the two tokens of a session; null of the others. */
  readonly digests: { readonly session: string; readonly completion: string } | null;
};

/** What is awaited of the buyer; null: nothing, the provider alone decides. */
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
