import type { App, Viewer } from '../../../app.ts';
import { retriableDeclines } from '../../../connectors/codes/decline-codes.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import {
  explainCandidates,
  servedMethod,
  type ConsideredPaymentService,
  type RoutingOfServices,
} from '../../payment-services/index.ts';
import { arrange, FIRST_ATTEMPT, type Decision, type RoutingFacts } from '../../routing/index.ts';
import { featureOf, isOnlyReadByProvider } from '../model/means.ts';
import type { Choice } from '../model/operation.ts';
import { skipsRetry } from '../model/retriable.ts';
import { wishOf } from './apply-rules.ts';
import { heedCircuits, withCircuit, type Way } from './explain-circuits.ts';
import { explainDecisionNow, type ExplainedDecision } from './explain-decision.ts';
import { explainRoutingInput, instrumentOf, type ExplainRoutingInput } from './explain-input.ts';

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
  /** The decision of the merchant's own rules. Null without rules, and for a payment that names its service. */
  readonly decision: ExplainedDecision | null;
};

export type RoutingCandidate = {
  readonly paymentServiceId: string;
  /**
   * The conditions under which a payment reaches this candidate. Any of them is enough. Empty when an earlier candidate
   * is always the last.
   */
  readonly choices: readonly Choice[];
  /** True if the candidate comes after the others because its circuit is open. */
  readonly isSetBehind: boolean;
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
 * A service with an open circuit comes after the others. A service whose time to be tried again has come stays at its place.
 *
 * Nothing is paid, written or sent. An unknown payment service id is explained, not refused.
 */
export async function explainRouting(
  app: App,
  viewer: Viewer,
  given: unknown,
): Promise<Result<RoutingExplanation, InvalidInput>> {
  const checked = parseInput(explainRoutingInput(app), given);
  if (!checked.ok) return checked;
  const { connectionOptions: options, threeDSecureRequest, method, store, ...payment } = checked.value;
  const instrumentType = instrumentOf(checked.value);
  const named = payment.paymentServiceId !== null;
  const facts = factsOf(checked.value, app.clock.now());
  const rules = named ? null : await explainDecisionNow(app, viewer, facts);
  const wish = rules && wishOf(rules.decision, facts);
  const filter = {
    ...payment,
    method: servedMethod(method),
    authenticates: (wish ?? threeDSecureRequest) === 'always',
    passesThrough: payment.threeDSecureData,
    means: featureOf(instrumentType, method),
    storesToken: store && isOnlyReadByProvider(instrumentType),
  };
  const found = await explainCandidates(app, viewer.merchantAccountId, filter);
  const inOrder = rules ? arranged(found, rules.decision) : found;
  const { routing, circuits } = await heedCircuits(app, viewer, inOrder, named);
  const last = routing.candidates.findIndex(({ definitionId }) => skipsRetry(options, definitionId));
  return ok({
    ...routing,
    message: messageOf(routing, { named, decision: rules?.decision ?? null }),
    candidates: routing.candidates.map(({ id }, place) => ({
      paymentServiceId: id,
      ...withCircuit(
        last !== -1 && place > last ? NO_WAY : wayTo(place, { named, ruled: rules !== null }),
        circuits.get(id),
      ),
    })),
    retryRules: RETRY_RULES,
    decision: rules && { ...rules.explained, threeDSecureRequest: wish },
  });
}

/** Returns the facts that the input tells. The others are unknown. */
function factsOf(given: ExplainRoutingInput, at: Date): RoutingFacts {
  const { amount, currency, country, method, cardScheme, cardBin, buyerId, metadata } = given;
  return {
    ...{ paymentId: UNKNOWN_PAYMENT, buyerId, amount, currency, country, method },
    ...{
      instrument: instrumentOf(given) ?? (method === 'bank' ? 'bank' : 'redirect'),
      scheme: cardScheme,
      bin: cardBin,
    },
    ...{ paymentSource: given.paymentSource, merchantInitiated: given.merchantInitiated },
    ...{ isSubsequentPayment: given.isSubsequentPayment, isStored: given.stored, stores: given.store },
    ...{ hasGiftCards: false, installmentCount: given.installmentCount ?? 1 },
    ...{ threeDSecureRequest: given.threeDSecureRequest, hasThreeDSecureData: given.threeDSecureData },
    ...{ metadata, externalIdentifier: given.externalIdentifier, at, ...FIRST_ATTEMPT },
  };
}

/** A payment without a buyer draws by its own id, which does not exist yet. */
const UNKNOWN_PAYMENT = '00000000-0000-0000-0000-000000000000';

/** Puts the candidates in the order of the merchant's own rules. */
function arranged({ candidates, ...found }: RoutingOfServices, { route }: Decision): RoutingOfServices {
  const inOrder = arrange(route, candidates);
  const leftOut = candidates.length - inOrder.length;
  return { ...found, candidates: inOrder, candidateCount: found.candidateCount - leftOut };
}

function wayTo(place: number, { named, ruled }: { readonly named: boolean; readonly ruled: boolean }): Way {
  if (named)
    return {
      choices: ['requested'],
      message: 'The request names this payment service, so no other is asked.',
    };
  if (place === 0) {
    return {
      choices: ['first'],
      message: ruled
        ? "This payment service is the first in the order of the merchant's own rules that accepts the payment."
        : 'This payment service is the first by position that accepts the payment.',
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

function messageOf(
  routing: Found,
  { named, decision }: { readonly named: boolean; readonly decision: Decision | null },
): string {
  if (decision?.route.kind === 'refuse')
    return `The routing rule "${decision.rule?.name}" refuses the payment with the code ${decision.route.code}.`;
  const sentence = sentenceOf(routing, named);
  return routing.candidateCount === 0 ? `${sentence} ${refusalOf(routing)}` : sentence;
}

function sentenceOf({ candidateCount, considered, consideredCount }: Found, named: boolean): string {
  if (named) {
    const service = considered.find(({ reasons }) => reasons.every(({ code }) => code !== 'not_requested'));
    if (!service) return 'No payment service has the requested id, or the service was deleted.';
    if (service.accepts) return 'The requested payment service accepts the payment.';
    const why = service.reasons.map(({ message }) => message).join(' ');
    return `The payment service that the payment names does not accept it. ${why}`;
  }
  if (consideredCount === 0) return 'The merchant account has no payment service.';
  if (candidateCount === 0 && considered.some(({ accepts }) => accepts))
    return "The merchant's own rules leave out each payment service that accepts the payment.";
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
