import type { JsonSchema, BodyForm, Json, RecordForm, Route } from '../route.ts';
import { byId } from './by-id.ts';

const PROFILE_FIELDS =
  'scheme merchantAcquirerBin merchantAcquirerId merchantName merchantCountryCode merchantCategoryCode merchantUrl createdAt';

const paymentService: RecordForm = {
  name: 'PaymentService',
  on: 'PaymentService',
  fields: `type id merchantAccountId paymentServiceDefinitionId method displayName position active status
    statusReason statusCheckedAt circuit { state openedAt tryAgainAt calls failures failedTrials } acceptedCurrencies acceptedCountries threeDSecureEnabled threeDSecureFallback
    merchantProfile { ${PROFILE_FIELDS} }
    paymentMethodTokenizationEnabled networkTokensEnabled openLoop settlementReportingEnabled
    webhookUrl fields { key value } reportingFields { key value } isDeleted createdAt updatedAt`,
  hidden: ['merchant_profile'],
  computed: {
    merchant_profile: {
      schema: {
        type: ['object', 'null'],
        description: 'The 3-D Secure profiles by card scheme. Null if none was given.',
        additionalProperties: { type: 'object' },
      },
      from: ({ merchant_profile: profiles }) =>
        (profiles as readonly Json[] | null) &&
        Object.fromEntries(
          (profiles as readonly (Json & { scheme: string })[]).map(({ scheme, ...profile }) => [
            scheme,
            profile,
          ]),
        ),
    },
  },
};

/** The profiles are an object by card scheme. The graph takes a list. */
const profilesByScheme: BodyForm = {
  toArgument: ({ merchant_profile: given, ...body }) => {
    if (given === undefined || given === null)
      return given === null ? { ...body, merchant_profile: null } : body;
    if (typeof given !== 'object' || Array.isArray(given)) return { ...body, merchant_profile: given };
    const profiles = Object.entries(given as Json).filter(([, profile]) => profile !== null);
    return {
      ...body,
      merchant_profile: profiles.map(([scheme, profile]) =>
        typeof profile === 'object' ? { ...(profile as Json), scheme } : profile,
      ),
    };
  },
  toBody: ([first, index, ...rest], { merchant_profile: given }) => {
    const all = [first, index].filter((each) => each !== undefined);
    if (first !== 'merchant_profile' || index === undefined) return [...all, ...rest];
    const schemes = Object.entries((given ?? {}) as Json).flatMap(([scheme, each]) =>
      each === null ? [] : scheme,
    );
    return ['merchant_profile', schemes[Number(index)] ?? index, ...rest.filter((name) => name !== 'scheme')];
  },
  schema: (argument, { members }) => {
    const { properties, required } = members('MerchantProfileInput');
    const { scheme, ...profile } = properties;
    const schemes = (scheme as { readonly enum: readonly string[] }).enum;
    const one: JsonSchema = {
      type: ['object', 'null'],
      properties: profile,
      required: required.filter((name) => name !== 'scheme'),
      additionalProperties: false,
    };
    const before = argument['properties'] as Json;
    const merchantProfile = {
      type: ['object', 'null'],
      description: 'The 3-D Secure profile for each card scheme.',
      propertyNames: { enum: schemes },
      additionalProperties: one,
    };
    return { ...argument, properties: { ...before, merchant_profile: merchantProfile } };
  },
};

const definition: RecordForm = {
  name: 'PaymentServiceDefinition',
  on: 'PaymentServiceDefinition',
  type: 'payment-service-definition',
  fields: `id displayName method fields { key displayName required format secret }
    reportingFields { key displayName required format secret } supportedCurrencies supportedCountries
    supportedFeatures { name supported } approvalWindow { defaultSeconds maxSeconds } sandboxOnly
    package { name version }`,
  hidden: ['supported_features'],
  computed: {
    supported_features: {
      schema: { type: 'object', additionalProperties: { type: 'boolean' } },
      from: ({ supported_features: features }) =>
        Object.fromEntries(
          (features as readonly { name: string; supported: boolean }[]).map(({ name, supported }) => [
            name,
            supported,
          ]),
        ),
    },
  },
};

const verifiedCredentials: RecordForm = {
  name: 'VerifiedCredentials',
  on: 'VerifiedCredentials',
  fields: 'paymentServiceDefinitionId checkedAt',
};

const tag = 'Payment services';
const one = byId('/payment-services', 'payment_service_id');
const changed = { kind: 'record', at: ['paymentService'], record: paymentService } as const;

/** The paths of connections to payment providers. */
export const paymentServiceRoutes: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/payment-services', tag, summary: 'Create a payment service' },
    field: 'Mutation.createPaymentService',
    body: {
      argument: 'input',
      form: profilesByScheme,
      example: {
        display_name: 'Sandbox cards',
        payment_service_definition_id: 'mock-card',
        fields: [{ key: 'merchant_id', value: 'shop-1' }],
        accepted_currencies: ['USD', 'EUR'],
        accepted_countries: ['US', 'DE'],
      },
    },
    answer: changed,
  },
  {
    ...{ method: 'GET', path: '/payment-services', tag, summary: 'List payment services' },
    field: 'Query.paymentServices',
    answer: { kind: 'page', record: paymentService },
  },
  {
    ...{ method: 'GET', ...one, tag, summary: 'Get a payment service' },
    field: 'Query.paymentService',
    answer: { kind: 'record', record: paymentService },
  },
  {
    ...{ method: 'PUT', ...one, tag, summary: 'Update a payment service' },
    field: 'Mutation.updatePaymentService',
    body: { argument: 'input', form: profilesByScheme, example: { active: false } },
    answer: changed,
  },
  {
    ...{ method: 'DELETE', ...one, tag, summary: 'Delete a payment service' },
    field: 'Mutation.deletePaymentService',
    answer: { kind: 'none' },
  },
  {
    ...{ method: 'POST', ...byId('/payment-services', 'payment_service_id', '/verify'), tag, status: 200 },
    summary: 'Ask the provider about the stored credentials',
    field: 'Mutation.verifyPaymentService',
    answer: changed,
  },
  {
    ...{ method: 'POST', path: '/payment-services/verify', tag, status: 200 },
    summary: 'Ask the provider about new credentials',
    field: 'Mutation.verifyCredentials',
    body: {
      argument: 'input',
      example: {
        payment_service_definition_id: 'mock-card',
        fields: [
          { key: 'merchant_id', value: 'shop-1' },
          { key: 'api_key', value: 'sandbox-key' },
        ],
      },
    },
    answer: { kind: 'record', at: ['verified'], record: verifiedCredentials },
  },
  {
    ...{ method: 'GET', path: '/payment-service-definitions', tag, summary: 'List all definitions' },
    field: 'Query.paymentServiceDefinitions',
    answer: { kind: 'list', record: definition },
  },
  {
    ...{ method: 'GET', ...byId('/payment-service-definitions', 'payment_service_definition_id'), tag },
    summary: 'Get a definition',
    field: 'Query.paymentServiceDefinition',
    answer: { kind: 'record', record: definition },
  },
];
