import { z } from 'zod';
import type { App, Viewer } from '../../../app.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/validate.ts';
import {
  explainCandidates,
  type ConsideredPaymentService,
  type RoutingOfServices,
} from '../../payment-services/index.ts';
import { connectionOptions } from '../input/connection-options.ts';
import { redirectMethods } from '../input/methods.ts';
import { country, currency, optional } from '../../../platform/values.ts';
import type { Choice } from '../model/operation.ts';
import { retriableDeclines, skipsRetry } from '../model/retriable.ts';

/** What createTransaction would choose for a payment, and why. */
export type RoutingExplanation = {
  readonly message: string;
  /** In the order in which they would be asked: at most the first 200. */
  readonly candidates: readonly RoutingCandidate[];
  readonly candidateCount: number;
  /** At most the first 200, and the one that the payment names if it comes after them. */
  readonly considered: readonly ConsideredPaymentService[];
  readonly consideredCount: number;
  readonly retryRules: readonly RetryRule[];
};

export type RoutingCandidate = {
  readonly paymentServiceId: string;
  /** Any one of them lets the payment come to it; none when an earlier one is to be the last that is asked. */
  readonly choices: readonly Choice[];
  readonly message: string;
};

/** Whether a payment goes on to the next candidate after an outcome. */
export type RetryRule = {
  readonly after: 'failed' | 'declined' | 'unknown';
  readonly goesOn: boolean;
  /** With these codes only; null: the code does not matter. */
  readonly errorCodes: readonly string[] | null;
  readonly message: string;
};

/**
 * Says which payment services would be asked for a payment, in which order, and why each other one would not: the rules are
 * those of createTransaction, as far as the input tells of the payment: not where a stored payment method is known, whether the
 * buyer was authenticated, and whether the payment is to be reviewed. Nothing is paid, written or sent. An id that names no
 * payment service is explained, not refused.
 */
export async function explainRouting(
  app: App,
  { merchantAccountId }: Viewer,
  given: unknown,
): Promise<Result<RoutingExplanation, InvalidInput>> {
  const checked = parseInput(explainRoutingInput(app), given);
  if (!checked.ok) return checked;
  const { connectionOptions: options, ...filter } = checked.value;
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

const explainRoutingInput = ({ connectors }: App) =>
  z.object({
    currency,
    country: optional(country),
    // What PaymentMethodInput has a field for.
    method: payable(['card', ...redirectMethods(connectors)]),
    intent: z.enum(['authorize', 'capture']),
    paymentServiceId: optional(z.string()),
    connectionOptions: optional(connectionOptions(connectors)),
  });

const payable = (methods: readonly string[]) =>
  z.enum(methods, `Must be a method that createTransaction can pay with: ${methods.join(', ')}.`);

type Way = Omit<RoutingCandidate, 'paymentServiceId'>;

function wayTo(place: number, named: boolean): Way {
  if (named) return { choices: ['requested'], message: 'The payment names it, and no other one is asked.' };
  if (place === 0) {
    return { choices: ['first'], message: 'It comes first, by position, of those that accept the payment.' };
  }
  return {
    choices: ['after_failure', 'after_decline'],
    message:
      'It is asked once the one before it has failed, or declined with a code that may be tried again.',
  };
}

const NO_WAY: Way = {
  choices: [],
  message: 'It accepts the payment but is never asked: the options of one before it say skip_retry.',
};

type Found = Omit<RoutingOfServices, 'candidates'>;

function sentenceOf({ candidateCount, considered, consideredCount }: Found, named: boolean): string {
  if (named) {
    const service = considered.find(({ reasons }) => reasons.every(({ code }) => code !== 'not_requested'));
    if (!service) return 'No payment service in use has the id that the payment names.';
    if (service.accepts) return 'The payment service that the payment names accepts it.';
    const why = service.reasons.map(({ message }) => message).join(' ');
    return `The payment service that the payment names does not accept it. ${why}`;
  }
  if (consideredCount === 0) return 'The merchant account has no payment service.';
  if (candidateCount === 0) return 'No payment service accepts the payment; `considered` says why of each.';
  if (candidateCount === 1) return 'One payment service accepts the payment; there is none to go on to.';
  return `${candidateCount} payment services accept the payment; the first is asked, the next ones as the rules say.`;
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
    message: 'A technical failure that surely had no effect goes on to the next candidate.',
  },
  {
    after: 'declined',
    goesOn: true,
    errorCodes: retriableDeclines,
    message:
      'A decline goes on to the next candidate with one of these codes only; any other ends the payment.',
  },
  {
    after: 'unknown',
    goesOn: false,
    errorCodes: null,
    message:
      'An outcome that is not known at once never goes on, whatever it proves to be: the payment may be made.',
  },
];
