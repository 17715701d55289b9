import { createHash } from 'node:crypto';
import type { Connector } from '../connector.ts';
import type { CallContext } from '../call-context.ts';
import { googlePayReceiver } from '../google-pay.ts';
import { refusedBefore, type Impossible } from '../impossible.ts';
import type { Money } from '../../kernel/money.ts';
import type { Result } from '../../kernel/result.ts';
import type { Outcome } from '../outcome.ts';
import type { AuthorizeRequest, CaptureRequest, ResumeRequest } from '../requests.ts';
import { outcomeOfModification, outcomeOfPayment } from './payments/answer.ts';
import { adyenDefinitions } from './definitions.ts';
import { adyenDisputes } from './disputes/disputes.ts';
import { NOT_SENT, outcomeOf } from './exchange.ts';
import { adyenHosts, type AdyenHosts } from './hosts.ts';
import { IMPOSSIBLE } from './impossible.ts';
import { paymentToWire } from './payments/payment-wire.ts';
import { adyenSettlements } from './settlements/settlement.ts';
import { readAdyenMethod } from './stored-method.ts';
import { verifyAdyen } from './verification.ts';
import { readAdyenWebhook } from './webhooks/webhook.ts';
import {
  cancelToWire,
  captureToWire,
  detailsToWire,
  increaseToWire,
  refundToWire,
  voidToWire,
  type Posted,
} from './payments/wire.ts';

/** Adyen's keys last at least 31 days. */
const KEYS_MS = 30 * 24 * 3_600_000;

/** The addresses that a connector calls. Tests give those of a double. */
export type AdyenSettings = { readonly hosts: AdyenHosts };

/**
 * Adyen, by the Checkout API.
 *
 * - Increases, captures, refunds and cancels are only received at first. Webhooks bring their decisions.
 * - Adyen has no call that reads a payment. A repeat under the same key gets the first answer again.
 */
export function createAdyen({ hosts }: AdyenSettings): Connector {
  const modify = async (
    context: CallContext,
    { key, money }: { readonly key: string; readonly money: Money },
    posted: Result<Posted<object>, Impossible>,
  ): Promise<Outcome> => {
    const addresses = hosts(context);
    if (!posted.ok) return refusedBefore(posted.refusals[0]);
    if (!addresses) return NOT_SENT;
    const { path, body } = posted.value;
    return outcomeOf(context, { url: addresses.checkout + path, key, body }, (answer) =>
      outcomeOfModification(answer, money),
    );
  };
  return {
    id: 'adyen',
    definitions: adyenDefinitions,
    recovery: { kind: 'keys', windowMs: KEYS_MS },
    webhooks: { verifyAndRead: readAdyenWebhook },
    disputes: adyenDisputes(hosts),
    settlements: adyenSettlements(hosts),
    googlePay: (fields) =>
      googlePayReceiver(fields, { gateway: 'adyen', gatewayMerchantId: fields['merchant_account'] }),
    authorize: (context, request) => authorize(hosts, context, request),
    // Adyen's answer is about the new total.
    increase: (context, request) =>
      modify(
        context,
        { key: request.key, money: request.total },
        increaseToWire(request, accountOf(context)),
      ),
    capture: async (context, request) =>
      isOneOfSeveral(context, request)
        ? refusedBefore(IMPOSSIBLE.several)
        : modify(context, request, captureToWire(request, accountOf(context))),
    refund: (context, request) => modify(context, request, refundToWire(request, accountOf(context))),
    void: (context, request) =>
      modify(context, request, { ok: true, value: voidToWire(request, accountOf(context)) }),
    cancel: (context, request) =>
      modify(context, request, { ok: true, value: cancelToWire(request, accountOf(context)) }),
    resume: (context, request) => resume(hosts, context, request),
    // Adyen has nothing to ask. The webhook or a repeat under the same key brings the outcome.
    lookup: () => Promise.resolve(null),
    verify: (context) => verifyAdyen(hosts, context),
    readStoredMethod: (context, token) => readAdyenMethod(hosts, context, token),
  };
}

/** Adyen at its own addresses. */
export const adyen: Connector = createAdyen({ hosts: adyenHosts });

const accountOf = ({ credentials }: Pick<CallContext, 'credentials'>): string =>
  credentials['merchant_account'] ?? '';

/** True for a capture after which others follow, while the merchant account is not said to allow them. */
const isOneOfSeveral = ({ credentials }: CallContext, { final }: CaptureRequest): boolean =>
  !final && credentials['multiple_captures'] !== 'true';

async function authorize(
  hosts: AdyenHosts,
  context: CallContext,
  request: AuthorizeRequest,
): Promise<Outcome> {
  const { credentials, definition } = context;
  const addresses = hosts(context);
  const payment = paymentToWire(request, {
    ...{ merchantAccount: accountOf(context), definition },
    preAuthorizes: credentials['incremental_authorization'] === 'true',
  });
  if (!payment.ok) return refusedBefore(payment.refusals[0]);
  if (!addresses) return NOT_SENT;
  const { key, money, series } = request;
  const shopperReference = payment.value.shopperReference ?? null;
  const stores = series.tokenizes ? { shopperReference } : null;
  const url = `${addresses.checkout}/payments`;
  const posted = { url, key, body: payment.value, mayDiffer: lacksSecrets(request) };
  return outcomeOf(context, posted, (answer) =>
    outcomeOfPayment(answer, { key, money, reference: null, stores }),
  );
}

/**
 * True for a repeat without the security code or the cryptogram that the first request may have had. Adyen does not document its
 * answer to another body under the same key.
 */
const lacksSecrets = ({ isRepeat, card, networkToken }: AuthorizeRequest): boolean =>
  isRepeat &&
  ((card !== null && card.securityCode === null) ||
    (networkToken !== null && networkToken.cryptogram === null));

/**
 * Continues a payment whose buyer came back. The step has a key of its own, because it is another request. A second return with
 * another result is a further request, which the first answer must not stand for.
 */
async function resume(
  hosts: AdyenHosts,
  context: CallContext,
  { key, reference, money, returned }: ResumeRequest,
): Promise<Outcome> {
  const addresses = hosts(context);
  const details = detailsToWire(returned);
  if (!addresses) return NOT_SENT;
  if (!details) return stillAway(reference, addresses.checkout);
  const { path, body } = details;
  return outcomeOf(
    context,
    { url: addresses.checkout + path, key: `${key}:details:${digestOf(body.details.redirectResult)}`, body },
    // An answer names the shopper of a method that it stored.
    (answer) => outcomeOfPayment(answer, { key, money, reference, stores: { shopperReference: null } }),
  );
}

/** Adyen takes keys of 64 characters. The digest has the 18 that are left. */
const digestOf = (result: string): string =>
  createHash('sha256').update(result).digest('base64url').slice(0, 18);

/**
 * Returns the outcome of a return without Adyen's parameter. The buyer has not decided and may come back again. The address
 * says only that there is a page. The payment keeps the address of its first answer.
 */
const stillAway = (reference: string, checkout: string): Outcome => ({
  ...{ kind: 'accepted', reference, approvalUrl: checkout },
  ...{ rawResponseCode: null, rawResponseDescription: null },
});
