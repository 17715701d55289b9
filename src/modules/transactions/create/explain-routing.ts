import { z } from 'zod';
import type { App, Viewer } from '../../../app.ts';
import { retriableDeclines } from '../../../connectors/codes/decline-codes.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import {
  explainCandidates,
  type ConsideredPaymentService,
  type RoutingOfServices,
} from '../../payment-services/index.ts';
import { cardNetwork } from '../input/card-network.ts';
import { connectionOptions } from '../input/connection-options.ts';
import { redirectMethods } from '../input/means.ts';
import { CARD_METHODS, featureOf, isOnlyReadByProvider, servedMethod } from '../model/means.ts';
import { country, currency, optional, wholeNumber } from '../../../platform/input/values.ts';
import type { Choice } from '../model/operation.ts';
import { THREE_D_SECURE_REQUESTS } from '../model/three-d-secure.ts';
import { skipsRetry } from '../model/retriable.ts';

/** The route that createTransaction would choose for a payment, with the reasons. */
export type RoutingExplanation = {
  readonly message: string;
  /** The candidates in the order in which createTransaction would call them, at most the first 200. */
  readonly candidates: readonly RoutingCandidate[];
  readonly candidateCount: number;
  /** At most the first 200 services, and the service that the payment names if it comes later. */
  readonly considered: readonly ConsideredPaymentService[];
  readonly consideredCount: number;
  readonly retryRules: readonly RetryRule[];
};

export type RoutingCandidate = {
  readonly paymentServiceId: string;
  /**
   * The conditions under which a payment reaches this candidate. Any of them is enough. Empty when an earlier candidate
   * is always the last.
   */
  readonly choices: readonly Choice[];
  readonly message: string;
};

/** The rule by which a payment goes on to the next candidate after an outcome. */
export type RetryRule = {
  readonly after: 'failed' | 'declined' | 'unknown';
  readonly goesOn: boolean;
  /** The error codes to which the rule is limited. Null means every code. */
  readonly errorCodes: readonly string[] | null;
  readonly message: string;
};

/**
 * Explains the route of a payment: the candidates in order, and for every other service the reason against it. The rules are
 * those of createTransaction, as far as the input describes the payment. The input does not tell:
 *
 * - the provider that knows a stored payment method
 * - the result of an authentication
 * - the need of a review
 *
 * Nothing is paid, written or sent. An unknown payment service id is explained, not refused.
 */
export async function explainRouting(
  app: App,
  { merchantAccountId }: Viewer,
  given: unknown,
): Promise<Result<RoutingExplanation, InvalidInput>> {
  const checked = parseInput(explainRoutingInput(app), given);
  if (!checked.ok) return checked;
  const {
    connectionOptions: options,
    threeDSecureRequest,
    providerToken,
    redirect,
    method,
    store,
    ...payment
  } = checked.value;
  const instrumentType = redirect ? 'redirect' : providerToken ? 'card_token' : (TYPES[method] ?? null);
  const filter = {
    ...payment,
    method: servedMethod(method),
    authenticates: threeDSecureRequest === 'always',
    passesThrough: payment.threeDSecureData,
    means: featureOf(instrumentType, method),
    storesToken: store && isOnlyReadByProvider(instrumentType),
  };
  const { candidates, ...routing } = await explainCandidates(app, merchantAccountId, filter);
  const named = filter.paymentServiceId !== null;
  const last = candidates.findIndex(({ definitionId }) => skipsRetry(options, definitionId));
  return ok({
    ...routing,
    message: `${sentenceOf(routing, named)}${routing.candidateCount === 0 ? ` ${refusalOf(routing)}` : ''}`,
    candidates: candidates.map(({ id }, place) => ({
      paymentServiceId: id,
      ...(last !== -1 && place > last ? NO_WAY : wayTo(place, named)),
    })),
    retryRules: RETRY_RULES,
  });
}

const explainRoutingInput = ({ connectors, antiFraudConnectors }: App) =>
  z
    .object({
      currency,
      country: optional(country),
      // The methods for which PaymentMethodInput has a field.
      method: payable(['card', 'bank', ...CARD_METHODS, ...redirectMethods(connectors)]),
      providerToken: z.boolean().default(false),
      redirect: z.boolean().default(false),
      store: z.boolean().default(false),
      threeDSecureData: z.boolean().default(false),
      intent: z.enum(['authorize', 'capture']),
      installmentCount: optional(wholeNumber(1, 100)),
      cardNetwork,
      splits: z.boolean().default(false),
      threeDSecureRequest: z.enum(THREE_D_SECURE_REQUESTS),
      paymentServiceId: optional(z.string()),
      connectionOptions: optional(connectionOptions({ connectors, antiFraudConnectors })),
    })
    .refine(({ method, providerToken }) => method === 'card' || !providerToken, {
      path: ['providerToken'],
      message: 'Must be false: only a payment with the method card has a providerToken.',
    })
    .refine(({ method, cardNetwork: network }) => method === 'card' || network === null, {
      path: ['cardNetwork'],
      message: 'Must be absent: only a payment with the method card has a choice of its network.',
    })
    .refine(({ method, redirect }) => method === 'card' || !redirect, {
      path: ['redirect'],
      message: 'Must be false: only the method card is paid with and without a redirect.',
    })
    .refine(({ providerToken, cardNetwork: network, redirect }) => !redirect || !(providerToken || network), {
      path: ['redirect'],
      message: 'Must be false: a payment with a providerToken or a cardNetwork has no redirect.',
    });

/** The kinds of data of the methods that only some services take. */
const TYPES: Readonly<Record<string, 'pan' | 'applepay' | 'googlepay' | 'network_token'>> = {
  card: 'pan',
  applepay: 'applepay',
  googlepay: 'googlepay',
  network_token: 'network_token',
};

/** Cards may be among the methods by redirect, too. */
const payable = (methods: readonly string[]) => {
  const names = [...new Set(methods)];
  return z.enum(names, `Must be a method that createTransaction can pay with: ${names.join(', ')}.`);
};

type Way = Omit<RoutingCandidate, 'paymentServiceId'>;

function wayTo(place: number, named: boolean): Way {
  if (named)
    return {
      choices: ['requested'],
      message: 'The request names this payment service, so no other is asked.',
    };
  if (place === 0) {
    return {
      choices: ['first'],
      message: 'This payment service is the first by position that accepts the payment.',
    };
  }
  return {
    choices: ['after_failure', 'after_decline'],
    message:
      'This payment service is asked after the previous one failed, or declined with a retriable code.',
  };
}

const NO_WAY: Way = {
  choices: [],
  message:
    'This payment service accepts the payment but is never asked, because an earlier one has the option skip_retry.',
};

type Found = Omit<RoutingOfServices, 'candidates'>;

function sentenceOf({ candidateCount, considered, consideredCount }: Found, named: boolean): string {
  if (named) {
    const service = considered.find(({ reasons }) => reasons.every(({ code }) => code !== 'not_requested'));
    if (!service) return 'No payment service has the requested id, or the service was deleted.';
    if (service.accepts) return 'The requested payment service accepts the payment.';
    const why = service.reasons.map(({ message }) => message).join(' ');
    return `The payment service that the payment names does not accept it. ${why}`;
  }
  if (consideredCount === 0) return 'The merchant account has no payment service.';
  if (candidateCount === 0) return 'No payment service accepts the payment. `considered` lists the reasons.';
  if (candidateCount === 1)
    return 'One payment service accepts the payment. A retry at another is not possible.';
  return `${candidateCount} payment services accept the payment. The first is asked, and retryRules decide about the others.`;
}

const refusalOf = ({ intentAlone }: Found): string =>
  intentAlone
    ? 'createTransaction would refuse the payment with INVALID_INPUT: its intent must be CAPTURE.'
    : 'createTransaction would refuse the payment with NO_PAYMENT_SERVICE.';

const RETRY_RULES: readonly RetryRule[] = [
  {
    after: 'failed',
    goesOn: true,
    errorCodes: null,
    message: 'After a technical failure without effect, the payment is retried at the next candidate.',
  },
  {
    after: 'declined',
    goesOn: true,
    errorCodes: retriableDeclines,
    message:
      'After a decline with one of these codes, the payment is retried at the next candidate. Any other code ends the payment.',
  },
  {
    after: 'unknown',
    goesOn: false,
    errorCodes: null,
    message: 'After an unknown outcome, the payment is never retried, because it may have succeeded.',
  },
];
