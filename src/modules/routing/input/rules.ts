import { z } from 'zod';
import { text } from '../../../platform/input/text.ts';
import { optional, pattern, wholeNumber } from '../../../platform/input/values.ts';
import { CONDITIONS_MAX, RULES_MAX, SERVICES_MAX, SHARES_MAX, WEIGHT_MAX } from '../model/limits.ts';
import type { Action, Rule } from '../model/rule.ts';
import { condition, type GivenCondition } from './conditions.ts';
import { serviceId } from './service-id.ts';

const serviceOrder = {
  paymentServiceIds: z
    .array(serviceId)
    .min(1, 'Name at least one payment service.')
    .max(SERVICES_MAX, `Name at most ${SERVICES_MAX} payment services.`)
    .refine((ids) => new Set(ids).size === ids.length, 'Name each payment service once.'),
  onlyThese: z.boolean().default(false),
};

const share = z.object({ ...serviceOrder, weight: wholeNumber(1, WEIGHT_MAX) });

const action = z
  .object({
    order: optional(z.object(serviceOrder)),
    split: optional(
      z
        .array(share)
        .min(2, 'Give at least two shares.')
        .max(SHARES_MAX, `Give at most ${SHARES_MAX} shares.`),
    ),
    positions: optional(z.literal(true, 'Must be true, or absent.')),
    refuse: optional(
      z.object({
        code: pattern(/^[a-z][a-z_]{0,49}$/, 'Must be 1 to 50 lower-case letters and underscores.'),
      }),
    ),
  })
  .transform((given, context): Action => {
    const { order, split, positions, refuse } = given;
    const isOne = Object.values(given).filter((each) => each !== null).length === 1;
    if (isOne && order) return { kind: 'order', ...order };
    if (isOne && split) return { kind: 'split', shares: split };
    if (isOne && refuse) return { kind: 'refuse', code: refuse.code };
    if (isOne && positions) return { kind: 'positions' };
    context.addIssue({ code: 'custom', message: 'Give exactly one action.' });
    return z.NEVER;
  });

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
