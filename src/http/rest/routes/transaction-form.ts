import { isObject } from '../../../kernel/json.ts';
import type { JsonSchema, BodyForm, Json } from '../route.ts';
import { bodyName, methodSchema, splitMethod, variantOf, type Variants } from './payment-method-forms.ts';

const LIFTED = ['redirect_url', 'payment_service_id', 'buyer_id', 'buyer_external_identifier'] as const;

/** The methods of a payment. Some members of the contract's methods belong to the payment as a whole. */
const METHODS: Variants = {
  named: {
    card: { member: 'card', input: 'CardInput', lifted: LIFTED },
    id: { member: 'stored', input: 'StoredPaymentMethodInput', lifted: ['redirect_url'] },
    applepay: { member: 'apple_pay', input: 'WalletTokenInput', lifted: LIFTED, takesObject: true },
    googlepay: { member: 'google_pay', input: 'WalletTokenInput', lifted: LIFTED, takesObject: true },
    'network-token': {
      ...{ member: 'network_token', input: 'NetworkTokenPaymentInput', lifted: LIFTED },
      renamed: { token: 'number', card_scheme: 'scheme', card_suffix: 'card_last_four' },
    },
    'provider-token': { member: 'provider_token', input: 'ProviderTokenInput', lifted: LIFTED },
    bank: { member: 'bank', input: 'BankAccountInput', lifted: LIFTED },
  },
  others: {
    ...{ member: 'redirect', input: 'RedirectInput', keepsMethod: true },
    lifted: [...LIFTED, 'country', 'currency'],
  },
};

/**
 * The body of a payment. Its method is told by `method`, an authentication elsewhere is `three_d_secure_data`, and a guest may
 * bring shipping details.
 */
export const paymentBody: BodyForm = {
  toArgument: ({ payment_method: method, three_d_secure_data: data, buyer, ...body }) => {
    const split = isObject(method) ? splitMethod(METHODS, method, body) : null;
    const guest = isObject(buyer) && 'shipping_details' in buyer ? buyer : null;
    const { shipping_details: shipping, ...person } = guest ?? {};
    return {
      ...{ ...split?.beside, ...(guest && shipping != null && { shipping_details: shipping }), ...body },
      ...(method !== undefined && { payment_method: split?.inside ?? method }),
      ...(buyer !== undefined && { buyer: guest ? person : buyer }),
      ...(data != null && { three_d_secure: { ...asObject(body['three_d_secure']), ...dataOf(data) } }),
    };
  },
  toBody: (path, body) => {
    const [first, second, ...rest] = path;
    if (first === 'three_d_secure' && (second === 'data_v1' || second === 'data_v2'))
      return ['three_d_secure_data', ...rest];
    const method = body['payment_method'];
    if (first === 'payment_method' && second !== undefined && isObject(method)) {
      const [name, ...below] = rest;
      const variant = variantOf(METHODS, method['method']);
      return ['payment_method', ...(name === undefined ? [] : [bodyName(variant, name)]), ...below];
    }
    const isLifted = first !== undefined && !(first in body) && isObject(method) && first in method;
    return isLifted ? ['payment_method', ...path] : path;
  },
  schema: (argument, parts) => {
    const { three_d_secure: threeDSecure, ...properties } = argument['properties'] as Readonly<
      Record<string, JsonSchema>
    >;
    const v1 = { type: 'object', ...parts.members('ThreeDSecureDataV1Input'), additionalProperties: false };
    const v2 = { type: 'object', ...parts.members('ThreeDSecureDataV2Input'), additionalProperties: false };
    const guest = parts.members('TransactionBuyerInput').properties;
    const method = methodSchema(METHODS, parts, properties);
    return {
      ...argument,
      properties: {
        ...properties,
        payment_method: { anyOf: [method, { type: 'null' }], description: 'The method that pays.' },
        buyer: {
          ...{ type: ['object', 'null'], description: properties['buyer']?.['description'] },
          properties: { ...guest, shipping_details: properties['shipping_details'] },
          additionalProperties: false,
        },
        three_d_secure: threeDSecure,
        three_d_secure_data: {
          anyOf: [v1, v2, { type: 'null' }],
          description: 'The data of an authentication elsewhere. The member `version` tells its form.',
        },
      },
    };
  },
};

const asObject = (value: unknown): Json => (isObject(value) ? value : {});

const dataOf = (data: unknown): Json => {
  const version = asObject(data)['version'];
  return typeof version === 'string' && version.startsWith('1') ? { data_v1: data } : { data_v2: data };
};
