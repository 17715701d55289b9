import { findOperations } from '../../../modules/transactions/index.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { BodyForm, Locate, Route } from '../route.ts';
import { byId } from './by-id.ts';
import { paymentBody } from './transaction-form.ts';
import {
  cancelled,
  capture,
  historyEntry,
  increase,
  refund,
  retryPlan,
  transaction,
  transactionSummary,
  voided,
} from './transaction-records.ts';

const tag = 'Transactions';
const below = (path: string) => byId('/transactions', 'transaction_id', path);
const changed = { kind: 'record', at: ['transaction'], record: transaction } as const;

/** The target of a refund is told by `target_type` and `target_id`. */
const refundTarget: BodyForm = {
  toArgument: ({ target_type: target, target_id: redemption, ...body }) => ({
    ...body,
    ...(target !== undefined && { target }),
    ...(redemption !== undefined && { redemption_id: redemption }),
  }),
  toBody: ([first, ...rest]) => (first === undefined ? [] : [targetName(first), ...rest]),
  schema: (argument) => ({
    ...argument,
    properties: Object.fromEntries(
      Object.entries(argument['properties'] as object).map(([name, schema]) => [targetName(name), schema]),
    ),
  }),
};

const TARGETS: ReadonlyMap<string, string> = new Map([
  ['target', 'target_type'],
  ['redemption_id', 'target_id'],
]);

const targetName = (name: string): string => TARGETS.get(name) ?? name;

const ofTransaction = { transaction_id: 'id' } as const;

/** The paths of payments. */
export const transactionRoutes: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/transactions', tag, summary: 'Create a payment' },
    field: 'Mutation.createTransaction',
    body: {
      argument: 'input',
      form: paymentBody,
      example: {
        ...{ amount: 1299, currency: 'USD', country: 'US', external_identifier: 'order-1' },
        payment_method: {
          ...{ method: 'card', number: '4111111111111111', expiration_date: '12/40', security_code: '123' },
        },
      },
    },
    answer: { ...changed, beside: { session_token: 'sessionToken' } },
  },
  {
    ...{ method: 'GET', path: '/transactions', tag, summary: 'List payments' },
    field: 'Query.transactions',
    names: {
      cardScheme: 'payment_method_scheme',
      cardCountry: 'payment_method_country',
      cardFingerprint: 'payment_method_fingerprint',
      cardBin: 'payment_method_bin',
      hasThreeDSecure: 'used_3ds',
    },
    answer: { kind: 'page', record: transactionSummary },
  },
  {
    ...{ method: 'GET', ...below(''), tag, summary: 'Get a payment' },
    field: 'Query.transaction',
    answer: { kind: 'record', record: transaction },
  },
  {
    ...{ method: 'PUT', ...below(''), tag, summary: "Change the merchant's own data of a payment" },
    field: 'Mutation.updateTransaction',
    body: { argument: 'input', example: { metadata: { parcel: '7' } } },
    answer: changed,
  },
  {
    ...{ method: 'POST', ...below('/sync'), tag, summary: 'Ask the provider about pending operations' },
    status: 200,
    field: 'Mutation.syncTransaction',
    answer: changed,
  },
  {
    ...{ method: 'POST', ...below('/cancel'), tag, summary: 'Cancel a payment before its authorisation' },
    status: 200,
    field: 'Mutation.cancelTransaction',
    answer: { kind: 'record', at: ['cancel'], record: cancelled },
  },
  {
    ...{
      method: 'POST',
      ...below('/authorization/increment'),
      tag,
      summary: 'Increase the authorised amount',
    },
    status: 200,
    field: 'Mutation.increaseAuthorization',
    body: { argument: 'input', example: { amount: 100 } },
    answer: { kind: 'record', at: ['increase'], record: increase },
  },
  {
    ...{
      method: 'GET',
      ...below('/retry-plan'),
      tag,
      summary: 'Get the plan of the later tries of a payment',
    },
    field: 'Query.transaction',
    answer: { kind: 'record', at: ['retryPlan'], record: retryPlan },
  },
  {
    ...{ method: 'POST', ...below('/retry-plan/stop'), tag, summary: 'Stop the later tries of a payment' },
    status: 200,
    field: 'Mutation.stopRetryPlan',
    answer: { kind: 'record', at: ['transaction', 'retryPlan'], record: retryPlan },
  },
  {
    ...{ method: 'GET', ...below('/events'), tag, summary: 'List the history of a payment' },
    field: 'Query.transaction',
    answer: { kind: 'page', at: ['events'], record: historyEntry },
  },
];

/** The paths of captures, refunds and voids. */
export const followUpRoutes: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/captures', tag: 'Captures', summary: 'Capture a payment' },
    field: 'Mutation.captureTransaction',
    body: { argument: 'input', beside: ofTransaction, example: { transaction_id: '…', amount: 1000 } },
    answer: { kind: 'record', at: ['capture'], record: capture },
  },
  {
    ...{ method: 'POST', ...below('/capture'), tag: 'Captures', status: 200 },
    summary: 'Capture a payment, and get the payment',
    field: 'Mutation.captureTransaction',
    body: { argument: 'input', example: { amount: 1000 } },
    answer: changed,
    preferred: {
      resource: 'transaction-capture',
      answer: { kind: 'record', at: ['capture'], record: capture },
    },
  },
  {
    ...{ method: 'GET', ...below('/captures'), tag: 'Captures', summary: 'List the captures of a payment' },
    field: 'Query.transaction',
    answer: { kind: 'list', at: ['captures'], record: capture },
  },
  {
    ...{ method: 'GET', ...below('/captures/{capture_id}'), tag: 'Captures', summary: 'Get a capture' },
    field: 'Query.transaction',
    answer: { kind: 'pick', at: ['captures'], record: capture, by: 'capture_id' },
  },
  {
    ...{ method: 'POST', path: '/refunds', tag: 'Refunds', summary: 'Refund a payment' },
    field: 'Mutation.refundTransaction',
    body: {
      ...{ argument: 'input', beside: ofTransaction, form: refundTarget },
      example: { transaction_id: '…', amount: 500, reason: 'returned' },
    },
    answer: { kind: 'record', at: ['refund'], record: refund },
  },
  {
    ...{ method: 'POST', ...below('/refunds'), tag: 'Refunds', summary: 'Refund this payment' },
    field: 'Mutation.refundTransaction',
    body: { argument: 'input', form: refundTarget, example: { amount: 500, reason: 'returned' } },
    answer: { kind: 'record', at: ['refund'], record: refund },
  },
  {
    ...{ method: 'POST', ...below('/refunds/all'), tag: 'Refunds', status: 201 },
    summary: 'Refund everything to the payment method and all gift cards',
    field: 'Mutation.refundTransaction',
    body: { argument: 'input', form: refundEverything() },
    answer: { kind: 'list', at: ['refunds'], record: refund },
  },
  {
    ...{ method: 'GET', ...below('/refunds'), tag: 'Refunds', summary: 'List the refunds of a payment' },
    field: 'Query.transaction',
    answer: { kind: 'list', at: ['refunds'], record: refund },
  },
  {
    ...{ method: 'GET', ...below('/refunds/{refund_id}'), tag: 'Refunds', summary: 'Get a refund' },
    field: 'Query.transaction',
    answer: { kind: 'pick', at: ['refunds'], record: refund, by: 'refund_id' },
  },
  {
    ...{ method: 'GET', path: '/refunds/{refund_id}', tag: 'Refunds' },
    summary: 'Get a refund of any payment',
    field: 'Query.transaction',
    locate: transactionOfRefund,
    answer: { kind: 'pick', at: ['refunds'], record: refund, by: 'refund_id' },
  },
  {
    ...{ method: 'POST', path: '/voids', tag: 'Voids', summary: 'Void a payment' },
    field: 'Mutation.voidTransaction',
    body: { beside: ofTransaction, example: { transaction_id: '…' } },
    answer: { kind: 'record', at: ['void'], record: voided },
  },
  {
    ...{ method: 'POST', ...below('/void'), tag: 'Voids', status: 200 },
    summary: 'Void a payment, and get the payment',
    field: 'Mutation.voidTransaction',
    answer: changed,
    preferred: { resource: 'transaction-void', answer: { kind: 'record', at: ['void'], record: voided } },
  },
];

/** Finds the payment of a refund, whose id alone the path holds. */
async function transactionOfRefund(
  ...[app, viewer, { refund_id: id = '' }]: Parameters<Locate>
): ReturnType<Locate> {
  const [found] = await findOperations(app, viewer, isUuid(id) ? [id.toLowerCase()] : []);
  return found ? { id: found.transactionId } : null;
}

/** A refund of everything has no target of its own. */
function refundEverything(): BodyForm {
  return {
    // The member of the graph is unknown here, and stays to be refused.
    toArgument: (body) => ('target' in body ? { unknown: null } : { ...body, target: 'all' }),
    toBody: (path) => path,
    schema: (argument) => ({
      ...argument,
      properties: Object.fromEntries(
        Object.entries(argument['properties'] as object).filter(([name]) => !TARGETS.has(name)),
      ),
    }),
  };
}
