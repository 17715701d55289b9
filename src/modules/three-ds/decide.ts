import { isOf, type PaymentCard } from './card.ts';
import type { ThreeDSOutcome } from './outcome.ts';
import type { ThreeDSConditions } from './scenario.ts';
import { testCardOutcome } from './test-cards.ts';

/** The facts of a payment that conditions compare. A missing fact is null. */
export type PaymentFacts = {
  /** Names and e-mail address come from the buyer's billing details. */
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emailAddress: string | null;
  /** Minor units. */
  readonly amount: number | null;
  readonly externalIdentifier: string | null;
  /** Null for a payment without a card. */
  readonly card: PaymentCard | null;
};

/** The parts of a rule that the decision needs. */
export type ThreeDSRule = {
  readonly id: string;
  readonly conditions: ThreeDSConditions;
  readonly outcome: ThreeDSOutcome;
};

export type ConditionName = (typeof CONDITIONS)[number][0];

/** A rule that does not match, with each condition that does not hold. */
export type PassedOver<Rule> = { readonly scenario: Rule; readonly unmet: readonly ConditionName[] };

/**
 * The authentication of a payment and its source. Without a matching rule, the sandbox's test cards decide. A payment
 * with another card, or none, is not authenticated.
 */
export type ThreeDSDecision<Rule> = (
  | { readonly source: 'scenario'; readonly scenario: Rule; readonly outcome: ThreeDSOutcome }
  | { readonly source: 'test_card'; readonly scenario: null; readonly outcome: ThreeDSOutcome }
  | { readonly source: 'none'; readonly scenario: null; readonly outcome: null }
) & {
  /** The rules before the matching one, or all of them, in their order. */
  readonly passedOver: readonly PassedOver<Rule>[];
};

/** Takes the first rule whose conditions all hold. `scenarios` must be in their order. */
export function decideThreeDS<Rule extends ThreeDSRule>(
  scenarios: readonly Rule[],
  payment: PaymentFacts,
): ThreeDSDecision<Rule> {
  const passedOver: PassedOver<Rule>[] = [];
  for (const scenario of scenarios) {
    const unmet = unmetConditions(scenario.conditions, payment);
    if (unmet.length === 0) return { source: 'scenario', scenario, outcome: scenario.outcome, passedOver };
    passedOver.push({ scenario, unmet });
  }
  const outcome = payment.card && testCardOutcome(payment.card.number);
  return outcome
    ? { source: 'test_card', scenario: null, outcome, passedOver }
    : { source: 'none', scenario: null, outcome: null, passedOver };
}

const unmetConditions = (conditions: ThreeDSConditions, payment: PaymentFacts): ConditionName[] =>
  CONDITIONS.filter(([, holds]) => !holds(conditions, payment)).map(([name]) => name);

type Holds = (conditions: ThreeDSConditions, payment: PaymentFacts) => boolean;

/** Every condition that a rule can have. A condition without a value holds. */
const CONDITIONS = [
  ['first_name', (wanted, { firstName }) => sameWord(wanted.firstName, firstName)],
  ['last_name', (wanted, { lastName }) => sameWord(wanted.lastName, lastName)],
  ['email_address', (wanted, { emailAddress }) => sameWord(wanted.emailAddress, emailAddress)],
  ['amount', (wanted, { amount }) => wanted.amount === null || wanted.amount === amount],
  [
    'external_identifier',
    ({ externalIdentifier: wanted }, { externalIdentifier }) =>
      wanted === null || wanted === externalIdentifier,
  ],
  [
    'card_number',
    ({ cardNumber }, { card }) => cardNumber === null || (card !== null && isOf(card, cardNumber)),
  ],
] as const satisfies readonly (readonly [string, Holds])[];

/** Compares two words without regard to case or to Unicode composition. */
const sameWord = (wanted: string | null, given: string | null): boolean =>
  wanted === null || (given !== null && fold(wanted) === fold(given));

const fold = (text: string): string => text.normalize('NFC').toLowerCase();
