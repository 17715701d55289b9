import type { CompiledVersion } from './model/compile.ts';
import { decide, type Decision, type RetryDecision } from './model/decide.ts';
import type { AttemptFacts, FormerOutcome, RoutingFacts } from './model/facts.ts';

/** The version that decides about all attempts of a payment, with its figures. The facts are those of the latest attempt. */
export type Ruling = { readonly version: CompiledVersion; readonly facts: RoutingFacts };

/** The end of an attempt after which the payment may ask another service. */
type Former = {
  readonly outcome: FormerOutcome;
  readonly errorCode: string;
  readonly paymentServiceId: string;
};

/** The decision about the next attempt of a payment. */
type NextAttempt = {
  readonly ruling: Ruling;
  readonly route: Decision['route'];
  readonly retry: RetryDecision;
};

/** Decides about the next attempt by the version and the figures that decided about the first one. */
export function decideNext({ version, facts: before }: Ruling, former: Former): NextAttempt {
  const attempt: AttemptFacts = {
    attempt: before.attempt + 1,
    ...{ formerOutcome: former.outcome, formerErrorCode: former.errorCode },
    formerService: former.paymentServiceId,
  };
  const facts = { ...before, ...attempt };
  const { rule, route, draw, compared } = decide(version, facts);
  const retry = { ...attempt, rule: rule?.position ?? null, draw, ...(compared && { compared }) };
  return { ruling: { version, facts }, route, retry };
}
