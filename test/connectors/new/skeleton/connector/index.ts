import type { Connector } from '../../../../../src/connectors/interface/connector.ts';
import type { CallContext } from '../../../../../src/connectors/interface/call-context.ts';
import { refusedBefore } from '../../../../../src/connectors/codes/impossible.ts';
import type { Outcome } from '../../../../../src/connectors/interface/outcome.ts';
import type { Money } from '../../../../../src/kernel/money.ts';
import { amountToSkeleton } from './amount.ts';
import { skeletonDefinitions } from './definitions.ts';
import { get, post, type SkeletonHost } from './exchange.ts';
import { skeletonWebhooks } from './webhook.ts';
import {
  cancelToWire,
  captureToWire,
  lookupToPath,
  outcomeOfAnswer,
  outcomeOfLookup,
  paymentToWire,
  refundToWire,
  voidToWire,
  type Posted,
} from './wire.ts';

/** The time for which the provider keeps a key, less an hour. A repeat must arrive before its end. */
const KEY_WINDOW_MS = 23 * 3_600_000;

/**
 * Creates the connector to the provider at these addresses. Tests give that of a double.
 *
 * The type `Connector` has optional verbs beside these, such as:
 *
 * - `readBooks`, if a call of the provider tells a payment with every operation. Paygraph then compares payments with the
 *   provider's books. An operation that a person made at the provider is booked without its webhook.
 * - `paymentOf`, if a webhook may name a capture and not its payment.
 *
 * Leave a verb out if the provider has no such call. The contract tests the verbs that are there.
 */
export function createSkeleton(host: SkeletonHost): Connector {
  const call = (context: CallContext, { key, money }: Asked, posted: Posted): Promise<Outcome> =>
    post(context, { url: host(context) + posted.path, key, body: posted.body }, (answer) =>
      outcomeOfAnswer(answer, money),
    );
  /** Sends nothing for an amount that the provider cannot express. */
  const callFor = async (
    context: CallContext,
    asked: Asked,
    toWire: (amount: number) => Posted,
  ): Promise<Outcome> => {
    const amount = amountToSkeleton(asked.money);
    return amount === null ? refusedBefore(AMOUNT) : await call(context, asked, toWire(amount));
  };
  return {
    id: 'skeleton',
    definitions: skeletonDefinitions,
    recovery: { kind: 'keys', windowMs: KEY_WINDOW_MS },
    webhooks: skeletonWebhooks,
    authorize: (context, request) => callFor(context, request, (amount) => paymentToWire(request, amount)),
    capture: (context, request) => callFor(context, request, (amount) => captureToWire(request, amount)),
    refund: (context, request) => callFor(context, request, (amount) => refundToWire(request, amount)),
    void: (context, request) => call(context, request, voidToWire(request)),
    cancel: (context, request) => call(context, request, cancelToWire(request)),
    lookup: (context, request) =>
      get(context, host(context) + lookupToPath(request), (answer) => outcomeOfLookup(answer, request)),
  };
}

/** Say here what the provider cannot do, and what to do in its place. */
const AMOUNT = {
  errorCode: 'invalid_amount',
  sentence: 'The provider cannot take this amount in this currency. Give an amount with fewer decimals.',
} as const;

type Asked = { readonly key: string; readonly money: Money };

/** The provider at its own addresses. */
export const skeleton: Connector = createSkeleton(({ environment }) =>
  environment === 'production' ? 'https://api.skeleton.example' : 'https://sandbox.skeleton.example',
);
