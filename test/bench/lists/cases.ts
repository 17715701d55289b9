import { reconciliationIdOf } from '../../../src/kernel/reconciliation-id.ts';
import { madeAt, serviceId, storedId } from '../../transactions/many-rows.ts';

/** One list with its arguments. */
export type Case = {
  readonly list: ListName;
  readonly what: string;
  readonly args: Readonly<Record<string, unknown>>;
};

export const LISTS = ['transactions', 'paymentLinks', 'paymentMethods', 'buyers', 'events'] as const;
export type ListName = (typeof LISTS)[number];

/** The types of the arguments, for the declaration of variables. */
export const ARGUMENTS: Readonly<Record<ListName, Readonly<Record<string, string>>>> = {
  transactions: { filter: 'TransactionFilter', sort: 'TransactionSort!' },
  paymentLinks: { filter: 'PaymentLinkFilter', sort: 'PaymentLinkSort!' },
  paymentMethods: { filter: 'PaymentMethodFilter' },
  buyers: {
    search: 'String',
    externalIdentifier: 'String',
    contains: 'String',
    createdAtGte: 'DateTime',
    createdAtLte: 'DateTime',
  },
  events: { types: '[String!]', target: 'EventTargetInput' },
};

const uuid = (number: number): string => `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

const SORTS = ['CREATED_AT_DESC', 'CREATED_AT_ASC', 'UPDATED_AT_DESC', 'AMOUNT_DESC'] as const;

/** Filters of transactions: common, rare and absent values of every field, and pairs of common ones that never meet. */
const transactionFilters = (rows: number): readonly (readonly [what: string, filter: object])[] => [
  ['nothing', {}],
  ['an id', { id: uuid(1) }],
  ['a reconciliation id', { reconciliationId: reconciliationIdOf(uuid(1)) }],
  ['a common status', { status: ['CAPTURE_SUCCEEDED'] }],
  ['a rare status', { status: ['PROCESSING'] }],
  ['an absent status', { status: ['AUTHORIZATION_VOIDED'] }],
  ['two statuses', { status: ['PROCESSING', 'AUTHORIZATION_DECLINED'] }],
  ['an amount', { amountEq: 7919 }],
  ['few amounts', { amountGte: 99_990 }],
  ['many amounts', { amountGte: 100 }],
  ['a common currency', { currency: ['USD'] }],
  ['a rare currency', { currency: ['ISK'] }],
  ['an absent currency', { currency: ['GBP'] }],
  ['a rare country', { country: ['IS'] }],
  ['an absent country', { country: ['DE'] }],
  ['an absent country of the newest week', { country: ['DE'], createdAtGte: madeAt(rows - 7 * 1440) }],
  ['the newest hours', { createdAtGte: madeAt(rows - 500) }],
  ['the oldest hours', { createdAtLte: madeAt(500) }],
  ['changes of some hours', { updatedAtGte: madeAt(1000), updatedAtLte: madeAt(1400) }],
  ['an absent method', { method: ['ideal'] }],
  ['a common service', { paymentServiceId: [serviceId(1)] }],
  ['a rare service', { paymentServiceId: [serviceId(2)] }],
  ['a common stored method', { paymentMethodId: storedId('method', 1) }],
  ['a rare stored method', { paymentMethodId: storedId('method', 2) }],
  ['an absent link', { paymentLinkId: uuid(4) }],
  ["a provider's id", { paymentServiceTransactionId: 'psp_c4ca4238a0b923820dcc509a6f75849b' }],
  ['an external identifier', { externalIdentifier: 'order-1' }],
  ['a common buyer', { buyerId: storedId('buyer', 1) }],
  ['a rare buyer', { buyerId: storedId('buyer', 2) }],
  ["a buyer's identifier", { buyerExternalIdentifier: 'cust-10' }],
  ["a buyer's e-mail", { buyerEmailAddress: 'jane10@example.com' }],
  ['a rare scheme', { cardScheme: ['jcb'] }],
  ['an absent scheme', { cardScheme: ['amex'] }],
  ['a rare country of the card', { cardCountry: ['IS'] }],
  ['a fingerprint', { cardFingerprint: 'fp-4' }],
  ['first digits', { cardBin: '40000004' }],
  ['last digits', { cardLastFour: '0004' }],
  ['a common error', { errorCode: ['insufficient_funds'] }],
  ['a rare error', { errorCode: ['expired_card'] }],
  ['a rare decision', { antiFraudDecision: ['REVIEW'] }],
  ['open reviews', { pendingReview: true }],
  ['no open reviews', { pendingReview: false }],
  ['refunds', { hasRefunds: true }],
  ['no refunds', { hasRefunds: false }],
  ['disputes', { disputed: true }],
  ['no disputes', { disputed: false }],
  ['gift cards', { hasGiftCardRedemptions: true }],
  ['no gift cards', { hasGiftCardRedemptions: false }],
  ['an authentication', { hasThreeDSecure: true }],
  ['no authentication', { hasThreeDSecure: false }],
  ['a rare source', { paymentSource: ['MOTO'] }],
  ["the merchant's own, absent", { merchantInitiated: true }],
  ['following ones, absent', { isSubsequentPayment: true }],
  ['a rare pair of metadata', { metadata: { cart: '40' } }],
  ['a common pair of metadata', { metadata: { channel: 'web' } }],
  ['a search that finds one', { search: `order-${rows - 1}` }],
  ['a search that finds nothing', { search: 'nobody' }],
  ['a search that finds some', { search: 'order-123' }],
  ['a search that finds a tenth', { search: 'jane' }],
  ['a search that finds everything', { search: 'order' }],
  ['a search of two words', { search: 'jane doe10' }],
  ['a search for an id', { search: uuid(1) }],
  ['a text inside a word', { contains: 'rder-123' }],
  ['a text that none has', { contains: 'nobody' }],
  ['a text that none has, of some days', { contains: 'nobody', createdAtGte: madeAt(rows - 5_000) }],
  ['declined and refunded, never both', { status: ['AUTHORIZATION_DECLINED'], hasRefunds: true }],
  [
    'euros that succeeded by an absent method',
    { currency: ['EUR'], status: ['CAPTURE_SUCCEEDED'], method: ['ideal'] },
  ],
  ['a search among an absent currency', { search: 'order', currency: ['GBP'] }],
];

const linkFilters = (rows: number): readonly (readonly [what: string, filter: object])[] => [
  ['nothing', {}],
  ['an id', { id: uuid(1) }],
  ['a common status', { status: ['COMPLETED'] }],
  ['a rare status', { status: ['PROCESSING'] }],
  ['an absent status', { status: ['EXPIRED'] }],
  ['an amount', { amountEq: 7919 }],
  ['few amounts', { amountGte: 99_990 }],
  ['many amounts', { amountGte: 100 }],
  ['a common currency', { currency: ['USD'] }],
  ['a rare currency', { currency: ['ISK'] }],
  ['a rare country', { country: ['IS'] }],
  ['an absent country', { country: ['DE'] }],
  ['the newest hours', { createdAtGte: madeAt(rows - 500) }],
  ['the oldest hours', { createdAtLte: madeAt(500) }],
  ['changes of some hours', { updatedAtGte: madeAt(1000), updatedAtLte: madeAt(1400) }],
  ['ends within an absent day', { expiresAtGte: madeAt(0), expiresAtLte: madeAt(1440) }],
  ['a rare buyer', { buyerId: storedId('buyer', 2) }],
  ["an absent buyer's identifier", { buyerExternalIdentifier: 'cust-10' }],
  ["an absent buyer's e-mail", { buyerEmailAddress: 'jane10@example.com' }],
  ['an external identifier', { externalIdentifier: 'order 1' }],
  ['a rare pair of metadata', { metadata: { cart: '40' } }],
  ['a common pair of metadata', { metadata: { channel: 'web' } }],
  ['a search that finds one', { search: `order ${rows - 3}` }],
  ['a search that finds nothing', { search: 'nobody' }],
  ['a search that finds everything', { search: 'order' }],
  ['a text inside a word', { contains: 'der 123' }],
  ['a text that none has', { contains: 'nobody' }],
  ['a text that none has, of some days', { contains: 'nobody', createdAtGte: madeAt(rows - 5_000) }],
  ['a common status in an absent country', { status: ['COMPLETED'], country: ['DE'] }],
];

const methodFilters = (rows: number): readonly (readonly [what: string, filter: object])[] => [
  ['nothing', {}],
  ['a buyer', { buyerId: uuid(1) }],
  ["a buyer's identifier", { buyerExternalIdentifier: 'cust-101' }],
  ['a common method', { method: ['card'] }],
  ['a rare method', { method: ['paypal'] }],
  ['an absent method', { method: ['ideal'] }],
  ['a common status', { status: ['SUCCEEDED'] }],
  ['a rare status', { status: ['FAILED'] }],
  ['two statuses', { status: ['FAILED', 'SUCCEEDED'] }],
  ['a fingerprint', { fingerprint: 'fp-4' }],
  ['an external identifier', { externalIdentifier: 'mine-1' }],
  ['a search that finds one', { search: `mine-${rows - 1}` }],
  ['a search that finds nothing', { search: 'nobody' }],
  ['a search that finds everything', { search: 'mine' }],
  ['the newest hours', { createdAtGte: madeAt(rows - 500) }],
  ['the oldest hours', { createdAtLte: madeAt(500) }],
  ['a text inside a word', { contains: 'ine-123' }],
  ['a text that none has', { contains: 'nobody' }],
  ['a text that none has, of some days', { contains: 'nobody', createdAtGte: madeAt(rows - 5_000) }],
  ['a rare method with a rare status, never both', { method: ['paypal'], status: ['FAILED'] }],
  ['a common search with an absent method', { search: 'visa', method: ['ideal'] }],
];

const buyerArguments = (rows: number): readonly (readonly [what: string, args: Case['args']])[] => [
  ['nothing', {}],
  ['an external identifier', { externalIdentifier: 'cust-1' }],
  ['an absent external identifier', { externalIdentifier: 'nobody' }],
  ['a search that finds one', { search: `cust-${rows - 1}` }],
  ['a search that finds nothing', { search: 'nobody' }],
  ['a search that finds some', { search: 'doe123' }],
  ['a search that finds everything', { search: 'jane' }],
  ['a search of two words', { search: 'jane doe10' }],
  ['a common search that nothing ends', { search: 'jane nobody' }],
  ['two common words', { search: 'jane cust' }],
  ['the newest hours', { createdAtGte: madeAt(rows - 500) }],
  ['the oldest hours', { createdAtLte: madeAt(500) }],
  ['a text inside a word', { contains: 'ane doe12' }],
  ['a text that none has', { contains: 'nobody' }],
  ['a text that none has, of some days', { contains: 'nobody', createdAtGte: madeAt(rows - 5_000) }],
];

const EVENT_ARGUMENTS: readonly (readonly [what: string, args: Case['args']])[] = [
  ['nothing', {}],
  ['a common type', { types: ['transaction.captured'] }],
  ['a pattern', { types: ['transaction.*'] }],
  ['a rare type', { types: ['buyer.deleted'] }],
  ['an absent type', { types: ['dispute.lost'] }],
  ['a record', { target: { type: 'transaction', id: uuid(4) } }],
  ['an absent record', { target: { type: 'transaction', id: 'none' } }],
  ['a record and an absent type', { target: { type: 'transaction', id: uuid(4) }, types: ['dispute.lost'] }],
];

/** Every filter and search of the lists, in every order. */
export const casesOf = (rows: number): readonly Case[] => [
  ...sorted('transactions', transactionFilters(rows)),
  ...sorted('paymentLinks', linkFilters(rows)),
  ...methodFilters(rows).map(([what, filter]) => ({
    list: 'paymentMethods' as const,
    what,
    args: { filter },
  })),
  ...buyerArguments(rows).map(([what, args]) => ({ list: 'buyers' as const, what, args })),
  ...EVENT_ARGUMENTS.map(([what, args]) => ({ list: 'events' as const, what, args })),
];

const sorted = (
  list: 'transactions' | 'paymentLinks',
  filters: readonly (readonly [what: string, filter: object])[],
): readonly Case[] =>
  filters.flatMap(([what, filter]) =>
    SORTS.map((sort) => ({ list, what: `${what}, ${sort}`, args: { filter, sort } })),
  );
