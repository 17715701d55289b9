import { z } from 'zod';
import { text } from '../../../platform/input/text.ts';
import { amount, optional, pattern } from '../../../platform/input/values.ts';
import { cardNumber } from '../../payment-methods/index.ts';
import {
  AUTHENTICATIONS,
  CHALLENGE_RESULTS,
  ENROLLMENTS,
  POSSIBLE,
  VERSION_DEFAULT,
  type Authentication,
} from '../outcome.ts';

/** A whole card number or a BIN, told apart by length. Spaces between digits are removed. */
const cardNumberOrBin = z
  .string()
  .transform((digits) => digits.replaceAll(' ', ''))
  .pipe(
    pattern(
      /^(\d{6,11}|\d{13,19})$/,
      'Must be a card number of 13 to 19 digits, or a BIN of 6 to 11 digits.',
    ),
  );

const facts = {
  firstName: optional(text(1, 255)),
  lastName: optional(text(1, 255)),
  emailAddress: optional(text(1, 320)),
  amount: optional(amount(0)),
  externalIdentifier: optional(text(1, 200)),
};

const conditions = z
  .object({ ...facts, cardNumber: optional(cardNumberOrBin) })
  .refine(
    (given) => Object.values(given).some((value) => value !== null),
    'Give at least one condition. A scenario without conditions would match every payment.',
  );

/** A version of the protocol. Paygraph sets the length. */
const version = pattern(/^[12](\.\d{1,4}){0,2}$/, 'Must be a version of 3-D Secure such as 2.2.0.');

const outcome = z
  .object({
    enrollment: z.enum(ENROLLMENTS).default('enrolled'),
    version: version.default(VERSION_DEFAULT),
    authentication: z.enum(AUTHENTICATIONS),
    challengeResult: optional(z.enum(CHALLENGE_RESULTS)),
  })
  .superRefine(({ enrollment, authentication, challengeResult }, context) => {
    const possible: readonly Authentication[] = POSSIBLE[enrollment];
    if (!possible.includes(authentication)) {
      const message = `With this enrollment, authentication must be one of ${possible.join(', ').toUpperCase()}.`;
      context.addIssue({ code: 'custom', path: ['authentication'], message });
    }
    if ((authentication === 'c') !== (challengeResult !== null)) {
      const message =
        authentication === 'c'
          ? 'Required when authentication is C.'
          : 'Omit challengeResult unless authentication is C.';
      context.addIssue({ code: 'custom', path: ['challengeResult'], message });
    }
  });

/** The input of a new scenario. */
export const createScenarioInput = z.object({ conditions, outcome });

/** The input of an update. Each part is replaced as a whole, or stays when left out or null. */
export const updateScenarioInput = z.object({
  conditions: optional(conditions),
  outcome: optional(outcome),
});

/** A payment to try on the rules. */
export const explainInput = z.object({ ...facts, cardNumber: optional(cardNumber) });

export type CreateThreeDSScenarioInput = z.input<typeof createScenarioInput>;
export type UpdateThreeDSScenarioInput = z.input<typeof updateScenarioInput>;
export type ExplainThreeDSScenarioInput = z.input<typeof explainInput>;
export type GivenConditions = z.output<typeof conditions>;
