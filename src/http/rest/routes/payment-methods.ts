import type { RecordForm, Route } from '../route.ts';
import { byId } from './by-id.ts';
import { storedMethod } from './payment-method-forms.ts';

const METHOD = `id merchantAccountId method mode instrumentType status label scheme additionalSchemes bin lastFour
  expirationDate issuerCountry bankScheme fingerprint externalIdentifier schemeTransactionId
  schemeTransactionIdScheme transactionLinkId country currency approvalUrl usageCount lastUsedAt citUsageCount
  citLastUsedAt createdAt updatedAt`;

const OWNER = 'buyer { id type displayName externalIdentifier }';

const paymentMethod: RecordForm = {
  name: 'PaymentMethod',
  on: 'PaymentMethod',
  type: 'payment-method',
  fields: `${METHOD} ${OWNER}`,
  hidden: ['bin'],
  computed: {
    details: {
      schema: {
        ...{ type: ['object', 'null'], description: 'The first digits of a card.' },
        properties: { bin: { type: ['string', 'null'] } },
        required: ['bin'],
      },
      from: ({ bin }) => (bin === null ? null : { bin }),
    },
  },
};

const summary: RecordForm = { ...paymentMethod, name: 'PaymentMethodSummary', fields: METHOD };

const tag = 'Payment methods';
const one = byId('/payment-methods', 'payment_method_id');
const changed = { kind: 'record', at: ['paymentMethod'], record: paymentMethod } as const;

/** The paths of stored payment methods. */
export const paymentMethodRoutes: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/payment-methods', tag, summary: 'Store a payment method' },
    field: 'Mutation.storePaymentMethod',
    body: {
      ...{ argument: 'input', form: storedMethod },
      example: { method: 'card', number: '4111111111111111', expiration_date: '12/40' },
    },
    answer: changed,
  },
  {
    ...{ method: 'GET', path: '/payment-methods', tag, summary: 'List payment methods' },
    field: 'Query.paymentMethods',
    answer: { kind: 'page', record: paymentMethod },
  },
  {
    ...{ method: 'GET', ...one, tag, summary: 'Get a payment method' },
    field: 'Query.paymentMethod',
    answer: { kind: 'record', record: paymentMethod },
  },
  {
    ...{ method: 'PUT', ...one, tag, summary: 'Update a payment method' },
    field: 'Mutation.updatePaymentMethod',
    body: {
      argument: 'input',
      example: { expiration_date: '01/42', scheme_transaction_id: '123456789012345' },
    },
    answer: changed,
  },
  {
    ...{ method: 'DELETE', ...one, tag, summary: 'Delete a payment method' },
    field: 'Mutation.deletePaymentMethod',
    answer: { kind: 'none' },
  },
  {
    ...{ method: 'GET', path: '/buyers/payment-methods', tag },
    summary: 'List the payment methods of a buyer',
    field: 'Query.buyerPaymentMethods',
    answer: { kind: 'list', record: summary },
  },
];
