import { z } from 'zod';
import type { Definition } from '../../../connectors/interface/definition.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import type { Field, GivenFields } from '../model/fields.ts';
import type { GivenFlags } from '../model/flags.ts';
import { merchantProfileInput } from '../model/merchant-profile.ts';
import { THREE_D_SECURE_FALLBACKS } from '../model/payment-service.ts';
import { text } from '../../../platform/input/text.ts';

// Limits of each value alone. Fields, flags, currencies and countries depend on the definition and are checked
// elsewhere, so that one answer lists all failures.

const currencies = z
  .array(z.string().regex(/^[A-Z]{3}$/, 'Must be an ISO 4217 code such as USD.'))
  .min(1, 'Give at least one.');
const countries = z
  .array(z.string().regex(/^[A-Z]{2}$/, 'Must be an ISO 3166-1 code such as US.'))
  .min(1, 'Give at least one.');
const displayName = text(1, 200);
const position = z.int32('Must be a whole number of 32 bits.').nullish();
const active = z.boolean().nullish();
const merchantProfile = merchantProfileInput.nullish();
const threeDSecureFallback = z.enum(THREE_D_SECURE_FALLBACKS).nullish();

/** Limits of the values of a new service, each alone. */
export const createSchema = z.object({
  displayName,
  paymentServiceDefinitionId: text(1, 50),
  acceptedCurrencies: currencies,
  acceptedCountries: countries,
  position,
  active,
  merchantProfile,
  threeDSecureFallback,
});

/** Limits of the values of an update, each alone. */
export const updateSchema = z.object({
  displayName: displayName.nullish(),
  acceptedCurrencies: currencies.nullish(),
  acceptedCountries: countries.nullish(),
  position,
  active,
  merchantProfile,
  threeDSecureFallback,
});

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value;

export type CreatePaymentServiceInput = DeepReadonly<z.input<typeof createSchema>> &
  GivenFlags &
  GivenFields & { readonly fields: readonly Field[] };
export type UpdatePaymentServiceInput = DeepReadonly<z.input<typeof updateSchema>> & GivenFlags & GivenFields;

/** Lists the values of a new service that break a limit by themselves. */
export const createFailures = (input: CreatePaymentServiceInput): readonly InvalidInput[] =>
  failuresOf(createSchema, input);

/** Lists the values of an update that break a limit by themselves. */
export const updateFailures = (input: UpdatePaymentServiceInput): readonly InvalidInput[] =>
  failuresOf(updateSchema, input);

/** Lists the settings of 3-D Secure that would have no effect at services of a definition. */
export const threeDSecureFailures = (
  { supportedFeatures: has }: Definition,
  given: Pick<UpdatePaymentServiceInput, 'merchantProfile' | 'threeDSecureFallback'>,
): readonly InvalidInput[] => {
  const stops = given.threeDSecureFallback === 'stop';
  return [
    ...(given.merchantProfile?.length && !has.merchant_profile ? [UNREAD_PROFILE] : []),
    ...(stops && !has.three_d_secure_hosted ? [NEVER_STOPPED] : []),
    ...(stops && has.three_d_secure_by_provider ? [DECIDED_BY_PROVIDER] : []),
  ];
};

const UNREAD_PROFILE = invalidInput(
  ['input', 'merchantProfile'],
  'Must be empty: the provider of the definition reads no merchant profile (feature merchant_profile).',
);
const NEVER_STOPPED = invalidInput(
  ['input', 'threeDSecureFallback'],
  'Must be CONTINUE: the definition does not support hosted 3-D Secure.',
);
const DECIDED_BY_PROVIDER = invalidInput(
  ['input', 'threeDSecureFallback'],
  'Must be CONTINUE: the provider itself authenticates buyers, and decides about those without an authentication.',
);

/**
 * Lists accepted currencies and countries that the definition does not support. A definition without a list supports
 * all.
 */
export function supportFailures(
  definition: Definition,
  {
    acceptedCurrencies,
    acceptedCountries,
  }: Pick<UpdatePaymentServiceInput, 'acceptedCurrencies' | 'acceptedCountries'>,
): readonly InvalidInput[] {
  const outside = (list: string, given: readonly string[], supported: readonly string[]): InvalidInput[] =>
    given.flatMap((code, index) =>
      supported.length === 0 || supported.includes(code)
        ? []
        : [invalidInput(['input', list, String(index)], 'The definition does not support this.')],
    );
  return [
    ...outside('acceptedCurrencies', acceptedCurrencies ?? [], definition.supportedCurrencies),
    ...outside('acceptedCountries', acceptedCountries ?? [], definition.supportedCountries),
  ];
}

/** Returns each value once, in the order of first appearance. */
export const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)];

function failuresOf(schema: z.ZodType, input: unknown): readonly InvalidInput[] {
  const parsed = parseInput(schema, input);
  return parsed.ok ? [] : parsed.refusals;
}
