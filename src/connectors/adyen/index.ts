import {
  googlePayReceiver,
  refusedBefore,
  type Connector,
  type CallContext,
  type Impossible,
  type Money,
  type Result,
  type Outcome,
} from '../door.ts';
import { ADYEN_AMOUNTS } from './amount.ts';
import { outcomeOfModification } from './payments/answer.ts';
import { accountOf, authorize, expire, resume } from './payments/authorize.ts';
import { capture } from './payments/capture.ts';
import { adyenDefinitions } from './definitions.ts';
import { adyenDisputes } from './disputes/disputes.ts';
import { NOT_SENT, outcomeOf } from './exchange.ts';
import { adyenHosts, type AdyenHosts } from './hosts.ts';
import { openSession } from './payments/session.ts';
import { adyenSettlements } from './settlements/settlement.ts';
import { readAdyenMethod } from './stored-method.ts';
import { verifyAdyen } from './verification.ts';
import { adyenWebhooks } from './webhooks/webhook.ts';
import { cancelToWire, increaseToWire, refundToWire, voidToWire, type Posted } from './payments/wire.ts';

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
    namesCaptures: true,
    amounts: ADYEN_AMOUNTS,
    webhooks: adyenWebhooks,
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
    capture: (context, request) => capture(hosts, context, request),
    refund: (context, request) => {
      const service = { merchantAccount: accountOf(context), definitionId: context.definition.id };
      return modify(context, request, refundToWire(request, service));
    },
    void: (context, request) =>
      modify(context, request, { ok: true, value: voidToWire(request, accountOf(context)) }),
    cancel: (context, request) =>
      modify(context, request, { ok: true, value: cancelToWire(request, accountOf(context)) }),
    resume: (context, request) => resume(hosts, context, request),
    sessions: { open: (context, request) => Promise.resolve(openSession(context, request)) },
    // Adyen has nothing to ask. The webhook or a repeat under the same key brings the outcome.
    lookup: (context, request) => expire(hosts, context, request),
    verify: (context) => verifyAdyen(hosts, context),
    readStoredMethod: (context, token) => readAdyenMethod(hosts, context, token),
  };
}

/** Adyen at its own addresses. */
export const adyen: Connector = createAdyen({ hosts: adyenHosts });
