import type {
  CreateThreeDSScenarioInput,
  ThreeDSAuthentication,
  ThreeDSChallengeResult,
  ThreeDSConditionsInput,
  ThreeDSEnrollment,
  UpdateThreeDSScenarioInput,
} from '../../../client/generated/schema.ts';
import type { Rule } from './query.ts';

/** The conditions as a person types them. An empty text is no condition. */
export type Conditions = {
  readonly emailAddress: string;
  /** Null keeps a full number, which the API never shows. */
  readonly cardNumber: string | null;
  readonly amount: string;
  readonly externalIdentifier: string;
  readonly firstName: string;
  readonly lastName: string;
};

/** The values of a rule as a person types them. */
export type Values = {
  readonly conditions: Conditions;
  readonly enrollment: ThreeDSEnrollment;
  readonly authentication: ThreeDSAuthentication;
  readonly challengeResult: ThreeDSChallengeResult;
  readonly version: string;
};

/** The answers that each answer of the directory server allows. */
export const ALLOWED: Readonly<Record<ThreeDSEnrollment, readonly ThreeDSAuthentication[]>> = {
  ENROLLED: ['Y', 'C', 'A', 'N', 'R', 'U', 'TIMEOUT'],
  NOT_ENROLLED: ['U', 'A', 'N', 'R'],
  UNAVAILABLE: ['U', 'A', 'TIMEOUT'],
};

/** A payment without any property. */
export const NO_CONDITIONS: Conditions = {
  ...{ emailAddress: '', cardNumber: '', amount: '', externalIdentifier: '', firstName: '', lastName: '' },
};

/** Returns the values of a form, empty for a new rule. */
export function valuesOf(rule: Rule | null): Values {
  if (!rule)
    return {
      ...{ conditions: NO_CONDITIONS, enrollment: 'ENROLLED', authentication: 'C', challengeResult: 'Y' },
      version: '2.2.0',
    };
  const { conditions, outcome } = rule;
  const { cardNumber, amount } = conditions;
  return {
    conditions: {
      emailAddress: conditions.emailAddress ?? '',
      cardNumber: cardNumber && cardNumber.lastFour !== null ? null : (cardNumber?.bin ?? ''),
      amount: amount === null ? '' : String(amount),
      externalIdentifier: conditions.externalIdentifier ?? '',
      firstName: conditions.firstName ?? '',
      lastName: conditions.lastName ?? '',
    },
    ...{ enrollment: outcome.enrollment, authentication: outcome.authentication, version: outcome.version },
    challengeResult: outcome.challengeResult ?? 'Y',
  };
}

/** Chooses the answer of the directory server. An answer to the request that it forbids is replaced. */
export function enrolled(values: Values, enrollment: ThreeDSEnrollment): Values {
  const allowed = ALLOWED[enrollment];
  const { authentication } = values;
  return {
    ...values,
    enrollment,
    authentication: allowed.includes(authentication) ? authentication : (allowed[0] ?? authentication),
  };
}

const isWhole = (text: string): boolean => /^\d{1,8}$/.test(text.trim());

/** Tells whether an amount is typed that is none. */
export const isBadAmount = ({ amount }: Conditions): boolean => amount.trim() !== '' && !isWhole(amount);

/** Translates conditions for the API. Empty ones are left out. */
export function conditionsInput({ amount, cardNumber, ...names }: Conditions): ThreeDSConditionsInput {
  const given = Object.entries({ ...names, cardNumber: cardNumber ?? '' }).filter(
    ([, text]) => text.trim() !== '',
  );
  return {
    ...Object.fromEntries(given.map(([name, text]) => [name, text.trim()])),
    ...(isWhole(amount) && { amount: Number(amount) }),
  };
}

/** Tells whether new conditions would lose a card number that nobody can read. */
export const losesCard = (rule: Rule | null, { conditions }: Values): boolean =>
  conditions.cardNumber === null && !isSame(conditions, valuesOf(rule).conditions);

const isSame = (one: Conditions, other: Conditions): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Tells whether the values may be sent. */
export const isReady = (rule: Rule | null, values: Values): boolean =>
  !isBadAmount(values.conditions) &&
  !losesCard(rule, values) &&
  (values.conditions.cardNumber === null || Object.keys(conditionsInput(values.conditions)).length > 0);

const outcomeInput = ({ enrollment, authentication, challengeResult, version }: Values) => ({
  ...{ enrollment, authentication, version },
  ...(authentication === 'C' && { challengeResult }),
});

/** Translates the values of a new rule for the API. */
export const createInput = (values: Values): CreateThreeDSScenarioInput => ({
  conditions: conditionsInput(values.conditions),
  outcome: outcomeInput(values),
});

/** Translates the values of a stored rule for the API. Unchanged conditions stay, with their card number. */
export const updateInput = (rule: Rule, values: Values): UpdateThreeDSScenarioInput => ({
  ...(!isSame(values.conditions, valuesOf(rule).conditions) && {
    conditions: conditionsInput(values.conditions),
  }),
  outcome: outcomeInput(values),
});
