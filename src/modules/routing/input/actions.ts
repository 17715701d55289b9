import { z } from 'zod';
import { amount, country, currency, optional, pattern, wholeNumber } from '../../../platform/input/values.ts';
import { CARD_SCHEMES } from '../../payment-services/index.ts';
import type { Price } from '../figures/by-cost.ts';
import { CASES_MIN } from '../figures/count.ts';
import {
  CASES_MAX,
  COMPARED_MAX,
  HOURS_MAX,
  KEPT_MAX,
  PRICES_MAX,
  SERVICES_MAX,
  SHARES_MAX,
  WEIGHT_MAX,
} from '../model/limits.ts';
import type { Action } from '../model/rule.ts';
import { serviceId } from './service-id.ts';

const isEachOnce = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;

const EACH_ONCE = 'Name each payment service once.';

const serviceOrder = {
  paymentServiceIds: z
    .array(serviceId)
    .min(1, 'Name at least one payment service.')
    .max(SERVICES_MAX, `Name at most ${SERVICES_MAX} payment services.`)
    .refine(isEachOnce, EACH_ONCE),
  onlyThese: z.boolean().default(false),
};

const comparedServices = {
  paymentServiceIds: z
    .array(serviceId)
    .min(2, 'Name at least two payment services to compare.')
    .max(COMPARED_MAX, `Name at most ${COMPARED_MAX} payment services.`)
    .refine(isEachOnce, EACH_ONCE),
  onlyThese: z.boolean().default(false),
};

const share = z.object({ ...serviceOrder, weight: wholeNumber(1, WEIGHT_MAX) });

const bySuccess = z.object({
  ...comparedServices,
  lastHours: wholeNumber(1, HOURS_MAX).default(72),
  keepShare: wholeNumber(0, KEPT_MAX).default(5),
  minimumCases: wholeNumber(CASES_MIN, CASES_MAX).default(100),
});

const price = z.object({
  paymentServiceId: serviceId,
  scheme: optional(z.enum(CARD_SCHEMES)),
  country: optional(country),
  percentage: pattern(
    /^\d{1,2}(\.\d{1,4})?$/,
    'Must be a number below 100 such as 1.45, with at most four decimals.',
  ),
  fixed: optional(z.object({ amount: amount(0), currency })),
});

const byCost = z
  .object({
    ...comparedServices,
    table: z.array(price).max(PRICES_MAX, `Give at most ${PRICES_MAX} prices.`).default([]),
  })
  .superRefine(({ paymentServiceIds, table }, context) => {
    table.forEach((each: Price, index) => {
      if (!paymentServiceIds.includes(each.paymentServiceId))
        context.addIssue({
          code: 'custom',
          path: ['table', index, 'paymentServiceId'],
          message: 'Must be one of the paymentServiceIds of the action.',
        });
    });
  });

/** The action of a rule: exactly one of its fields. */
export const action = z
  .object({
    order: optional(z.object(serviceOrder)),
    split: optional(
      z
        .array(share)
        .min(2, 'Give at least two shares.')
        .max(SHARES_MAX, `Give at most ${SHARES_MAX} shares.`),
    ),
    bySuccess: optional(bySuccess),
    byCost: optional(byCost),
    positions: optional(z.literal(true, 'Must be true, or absent.')),
    refuse: optional(
      z.object({
        code: pattern(/^[a-z][a-z_]{0,49}$/, 'Must be 1 to 50 lower-case letters and underscores.'),
      }),
    ),
  })
  .transform((given, context): Action => {
    const [first, ...others] = actionsIn(given);
    if (first && others.length === 0) return first;
    context.addIssue({ code: 'custom', message: 'Give exactly one action.' });
    return z.NEVER;
  });

type GivenActions = {
  readonly [Kind in Exclude<Action['kind'], 'split' | 'positions'>]: Omit<
    Extract<Action, { readonly kind: Kind }>,
    'kind'
  > | null;
} & {
  readonly split: Extract<Action, { readonly kind: 'split' }>['shares'] | null;
  readonly positions: true | null;
};

const actionsIn = ({
  order,
  split,
  bySuccess: success,
  byCost: cost,
  positions,
  refuse,
}: GivenActions): readonly Action[] => [
  ...(order ? [{ kind: 'order' as const, ...order }] : []),
  ...(split ? [{ kind: 'split' as const, shares: split }] : []),
  ...(success ? [{ kind: 'bySuccess' as const, ...success }] : []),
  ...(cost ? [{ kind: 'byCost' as const, ...cost }] : []),
  ...(positions ? [{ kind: 'positions' as const }] : []),
  ...(refuse ? [{ kind: 'refuse' as const, ...refuse }] : []),
];
