import { z } from 'zod';
import { text } from '../../../platform/input/text.ts';
import { optional } from '../../../platform/input/values.ts';
import { CONDITIONS_MAX, PERIODS_MAX, RULES_MAX } from '../model/limits.ts';
import type { Rule } from '../model/rule.ts';
import { periodsOf } from '../figures/needs.ts';
import { action } from './actions.ts';
import { condition, type GivenCondition } from './conditions.ts';

const rule = z.object({
  name: text(1, 100),
  conditions: z
    .array(condition)
    .max(CONDITIONS_MAX, `Give at most ${CONDITIONS_MAX} conditions.`)
    .default([]),
  action,
  threeDSecure: optional(z.enum(['always', 'never'], 'Must be ALWAYS, NEVER, or absent.')),
});

/** A rule as given. Its conditions may name value sets. */
export type GivenRule = Omit<Rule, 'conditions'> & { readonly conditions: readonly GivenCondition[] };

const rules = z
  .array(rule)
  .min(1, 'Give at least one rule.')
  .max(RULES_MAX, `Give at most ${RULES_MAX} rules.`)
  .superRefine((given: readonly GivenRule[], context) => {
    const names = given.map(({ name }) => name);
    names.forEach((name, index) => {
      if (names.indexOf(name) < index)
        context.addIssue({
          code: 'custom',
          path: [index, 'name'],
          message: 'Must be unique in the version.',
        });
    });
    if (periodsOf(given).length > PERIODS_MAX)
      context.addIssue({
        code: 'custom',
        message: `Give at most ${PERIODS_MAX} different values of lastHours in a version.`,
      });
  });

/** The input of a new rule set. */
export const createRuleSetInput = z.object({ name: text(1, 100) });

/** The input of a new version. */
export const createVersionInput = z.object({ rules, note: optional(text(1, 500)) });

/** The input of an activation. */
export const activateInput = z.object({
  versionId: optional(z.string()),
  apiKeyPairId: optional(z.string()),
  activeFrom: optional(z.date()),
  note: optional(text(1, 500)),
});

export type CreateRuleSetInput = z.input<typeof createRuleSetInput>;
export type ActivateInput = z.input<typeof activateInput>;
