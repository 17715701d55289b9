import type { FieldInput, ThreeDSecureFallback } from '../../../client/generated/schema.ts';
import { api, idOf } from '../../app/data/api.ts';
import { areGiven, changedOf, typedOf, type Credentials, type Typed } from '../connection/values.ts';
import { nameOf, readCodes, typeCodes } from './codes.ts';
import { areComplete, areSame, profilesOf, type Profile } from './profile.ts';
import { hasFeature, updateService, type Definition, type Row, type Service } from './query.ts';

/** The features that a person switches on and off, each with the feature of the definition that allows it. */
export const FLAGS = {
  threeDSecureEnabled: 'three_d_secure_hosted',
  paymentMethodTokenizationEnabled: 'payment_method_tokenization_toggle',
  networkTokensEnabled: 'network_tokens_toggle',
  openLoop: 'open_loop_toggle',
  settlementReportingEnabled: 'settlement_reporting',
} as const;

export type Flag = keyof typeof FLAGS;

/** The lists of fields of a definition. */
export type FieldList = 'fields' | 'reportingFields';

/** The values of a payment service as a person types them. */
export type Values = {
  readonly displayName: string;
  readonly currencies: string;
  readonly countries: string;
  readonly fields: Typed;
  readonly reportingFields: Typed;
  /** The switches that the person touched. */
  readonly flags: Readonly<Partial<Record<Flag, boolean>>>;
  readonly fallback: ThreeDSecureFallback;
  readonly profiles: readonly Profile[];
};

/** The form of a new service, or of a stored one. */
export type Form = { readonly definition: Definition; readonly stored: Service | null };

/** Returns the values of a new service. Currencies and countries are those of an existing service, which often fit. */
export const newValues = (definition: Definition, example: Row | undefined): Values => ({
  displayName: definition.displayName,
  currencies: typeCodes(supported(definition.supportedCurrencies, example?.acceptedCurrencies ?? ['EUR'])),
  countries: typeCodes(supported(definition.supportedCountries, example?.acceptedCountries ?? ['DE'])),
  ...{ fields: {}, reportingFields: {}, flags: {}, fallback: 'CONTINUE', profiles: [] },
});

function supported(by: readonly string[], wished: readonly string[]): readonly string[] {
  if (by.length === 0) return wished;
  const both = wished.filter((code) => by.includes(code));
  return both.length > 0 ? both : by.slice(0, 1);
}

/** Returns the values of a stored service. */
export const valuesOf = (service: Service): Values => ({
  displayName: service.displayName,
  currencies: typeCodes(service.acceptedCurrencies),
  countries: typeCodes(service.acceptedCountries),
  fields: typedOf(service.fields),
  reportingFields: typedOf(service.reportingFields),
  flags: {},
  fallback: service.threeDSecureFallback,
  profiles: profilesOf(service),
});

const credentialsOf = ({ definition, stored }: Form, values: Values, list: FieldList): Credentials => ({
  fields: definition[list],
  values: values[list],
  stored: stored && stored[list],
});

/** Lists the fields of a list to send. */
export const changedFields = (form: Form, values: Values, list: FieldList): readonly FieldInput[] =>
  changedOf(credentialsOf(form, values, list));

/** Returns the state of a switch. */
export function flagOf({ definition, stored }: Form, values: Values, flag: Flag): boolean {
  const given = values.flags[flag] ?? stored?.[flag];
  if (given !== undefined) return given;
  const isOpenLoop = values.flags.openLoop ?? hasFeature(definition, 'open_loop');
  switch (flag) {
    case 'openLoop':
      return hasFeature(definition, 'open_loop');
    case 'networkTokensEnabled':
      return isOpenLoop && hasFeature(definition, 'network_tokens_default');
    case 'paymentMethodTokenizationEnabled':
      return !isOpenLoop && hasFeature(definition, 'payment_method_tokenization');
    default:
      return false;
  }
}

/** Tells whether Paygraph itself would authenticate, so that the rule for an unavailable authentication counts. */
export const hasFallback = (form: Form, values: Values): boolean =>
  flagOf(form, values, 'threeDSecureEnabled') && !hasFeature(form.definition, 'three_d_secure_by_provider');

/** Returns the typed codes that name nothing. */
export const unknownCodes = (kind: 'currency' | 'region', text: string): readonly string[] =>
  readCodes(text).filter((code) => nameOf(kind, code) === undefined);

/** Tells whether the values may be sent. The API checks the rest. */
export const isReady = (form: Form, values: Values): boolean =>
  values.displayName.trim() !== '' &&
  readCodes(values.currencies).length > 0 &&
  readCodes(values.countries).length > 0 &&
  areGiven(credentialsOf(form, values, 'fields')) &&
  areComplete(values.profiles);

const sharedInput = (form: Form, values: Values) => ({
  displayName: values.displayName.trim(),
  fields: changedFields(form, values, 'fields'),
  acceptedCurrencies: readCodes(values.currencies),
  acceptedCountries: readCodes(values.countries),
  ...(form.definition.reportingFields.length > 0 && {
    reportingFields: changedFields(form, values, 'reportingFields'),
  }),
  ...values.flags,
  ...(hasFallback(form, values) && { threeDSecureFallback: values.fallback }),
  ...(!areSame(values.profiles, form.stored ? profilesOf(form.stored) : []) && {
    merchantProfile: values.profiles,
  }),
});

/** Creates a payment service. Returns its id. */
export async function createService(form: Form, values: Values, idempotencyKey: string): Promise<string> {
  const input = { paymentServiceDefinitionId: form.definition.id, ...sharedInput(form, values) };
  const { createPaymentService: created } = await api.mutate({
    createPaymentService: [{ input, idempotencyKey }, { paymentServiceId: true }],
  });
  return idOf(created.paymentServiceId);
}

/** Changes the values of a stored service. */
export const saveService = (form: Form, values: Values) =>
  updateService(form.stored?.id ?? '', sharedInput(form, values));
