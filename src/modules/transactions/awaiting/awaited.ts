import type { App } from '../../../app.ts';
import { approvalAddressOf, approvalTokenOf } from './approval-page.ts';
import type { Operation } from '../model/operation.ts';
import type { AcceptedOutcome } from '../model/outcome.ts';
import { sealAction } from './client-action.ts';
import { codeAddressOf, formAddressOf, sealForm } from './redirect-form.ts';
import { digestOf, tokenFor } from './session-token.ts';

/**
 * The part of the buyer in an accepted authorisation.
 * - `redirect`: the buyer decides at the provider's page, or at our page in its place.
 * - `session`: the buyer approves in the merchant's client, which then completes the payment.
 * - `voucher`: the buyer pays elsewhere.
 */
export type Awaited = {
  readonly kind: 'redirect' | 'session' | 'voucher';
  /** The token of the page. */
  readonly token: string;
  /** The digests of a session's two tokens. Null for other kinds. */
  readonly digests: { readonly session: string; readonly completion: string } | null;
  /** The digest of the token with which the buyer comes back. Null unless the provider has its own page. */
  readonly returnDigest: string | null;
  /** The buyer's next address: the provider's page, or ours that posts a form or shows a code. Null in a session. */
  readonly approvalUrl: string | null;
  /** The form or the code of a redirect, or the action of a session. Null without one. */
  readonly sealedForm: string | null;
};

/** Returns the buyer's part in an accepted authorisation. Null when the provider alone decides. */
export async function awaitedOf(
  app: App,
  operation: Operation,
  outcome: AcceptedOutcome,
): Promise<Awaited | null> {
  const kind = operation.kind === 'authorize' ? kindOf(outcome) : null;
  if (!kind) return null;
  const digest = async (purpose: 'session' | 'completion' | 'return') =>
    digestOf(await tokenFor(app, purpose, operation));
  const token = await approvalTokenOf(app, operation);
  const { approvalUrl: url = null, approvalForm: fields, qrCode, clientAction: action } = outcome;
  const form = url !== null && fields ? { url, fields } : null;
  const code =
    kind === 'redirect' && qrCode !== undefined ? { qrCode, ...(url !== null && { appUrl: url }) } : null;
  const shown = form ?? code;
  return {
    kind,
    token,
    digests:
      kind === 'session'
        ? { session: await digest('session'), completion: await digest('completion') }
        : null,
    returnDigest:
      kind === 'redirect' && url !== approvalAddressOf(app, token) ? await digest('return') : null,
    approvalUrl: form ? formAddressOf(app, token) : code ? codeAddressOf(app, token) : url,
    sealedForm: shown
      ? await sealForm(app, operation, shown)
      : kind === 'session' && action !== undefined
        ? await sealAction(app, operation, action)
        : null,
  };
}

function kindOf({ approvalUrl, qrCode, session, paymentReference }: AcceptedOutcome): Awaited['kind'] | null {
  if (paymentReference !== undefined) return 'voucher';
  if (session) return 'session';
  return (approvalUrl ?? qrCode) === undefined ? null : 'redirect';
}
