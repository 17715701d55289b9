import type { Filter, Lead, Part } from '../../../platform/bounded-list.sql.ts';
import type { TransactionFilter } from '../model/filter.ts';
import type { SortKey } from '../model/sort.ts';
import { foundBy } from './search.sql.ts';

/** The list to filter. */
export type Listed = {
  readonly account: string;
  readonly key: SortKey;
  /**
   * Conditions on the moment of creation and the id, given their columns. In the order of creation they include the position
   * behind which the page starts.
   */
  readonly created: (createdAt: string, id: string) => Part<readonly string[]>;
};

/** A column that leads from a payment to a record that has payments. */
export type OwnerColumn = 'buyer_id' | 'payment_method_id' | 'payment_service_id';

/** A record that has payments. */
export type Owner = { readonly column: OwnerColumn; readonly id: string };

/** Returns the filter that leaves the payments of one record. */
export const ownedBy = ({ column, id }: Owner, listed: Listed): Filter =>
  (column === 'payment_service_id' ? covered : indexed)(column, 'uuid')([id], listed);

/** Returns the given filters only. The range of the sort column is none of them. */
export const filtersOf = (filter: TransactionFilter, listed: Listed): readonly Filter[] => [
  ...RANGES.flatMap(([key, ...names]) => (key === listed.key ? [] : ranged(key, names, filter, listed))),
  ...(Object.keys(RULES) as Ruled[]).flatMap((name) => rule(name, filter[name], listed)),
];

type Ranged =
  | 'createdAtGte'
  | 'createdAtLte'
  | 'updatedAtGte'
  | 'updatedAtLte'
  | 'amountEq'
  | 'amountGte'
  | 'amountLte';
type Ruled = Exclude<keyof TransactionFilter, Ranged>;
type Rule<Value> = (value: Value, listed: Listed) => readonly Filter[];
type One<Value> = (value: Value, listed: Listed) => Filter;

const rule = <Name extends Ruled>(
  name: Name,
  value: TransactionFilter[Name],
  listed: Listed,
): readonly Filter[] =>
  // TypeScript cannot see that a filter and its rule have the same name.
  value === null ? [] : (RULES[name] as Rule<typeof value>)(value, listed);

/** The filters that are ranges of a sort column. */
const RANGES: readonly (readonly [SortKey, ...Ranged[]])[] = [
  ['created_at', 'createdAtGte', 'createdAtLte'],
  ['updated_at', 'updatedAtGte', 'updatedAtLte'],
  ['amount', 'amountEq', 'amountGte', 'amountLte'],
];

const OPERATORS = { Gte: '>=', Lte: '<=', Eq: '=' } as const;

/** Returns the conditions of a range on a column. */
export const rangeOf =
  (key: SortKey, filter: TransactionFilter, column: string): Part<readonly string[]> =>
  (value) =>
    RANGES.filter(([each]) => each === key).flatMap(([, ...names]) =>
      names
        .filter((name) => filter[name] !== null)
        .map((name) => {
          const operator = OPERATORS[name.slice(name.search(/(Gte|Lte|Eq)$/)) as keyof typeof OPERATORS];
          return `${column} ${operator} ${value(filter[name])}::${SORT_TYPES[key]}`;
        }),
    );

/** The types of the sort columns. */
export const SORT_TYPES = {
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  amount: 'int',
} as const satisfies Record<SortKey, string>;

function ranged(
  key: SortKey,
  names: readonly Ranged[],
  filter: TransactionFilter,
  listed: Listed,
): readonly Filter[] {
  if (names.every((name) => filter[name] === null)) return [];
  const where = rangeOf(key, filter, `t.${key}`);
  return [{ where, lead: inRows(where, listed, false), covered: null }];
}

/** Leads along an index of transaction. Ordered: an index of the condition and the order of creation. */
const inRows = (
  where: Part<readonly string[]>,
  { account, key, created }: Listed,
  ordered: boolean,
): Lead => ({
  entries: (value) => {
    const owned = `t.merchant_account_id = ${value(account)}::text`;
    const bounds = ordered ? created('t.created_at', 't.id')(value) : [];
    return `SELECT t.created_at, t.id FROM transaction t WHERE ${[owned, ...where(value), ...bounds].join(' AND ')}`;
  },
  ordered: ordered && key === 'created_at',
  exact: true,
});

/** Leads along the entries of one term, which have the order of creation. */
const inTerms = (term: Part, { account, key, created }: Listed, exact: boolean): Lead => ({
  entries: (value) => {
    const owned = `x.merchant_account_id = ${value(account)}::text`;
    const bounds = created('x.created_at', 'x.transaction_id')(value);
    return `SELECT x.created_at, x.transaction_id AS id FROM transaction_term x
      WHERE ${[owned, `x.term = ${term(value)}`, ...bounds].join(' AND ')}`;
  },
  ordered: key === 'created_at',
  exact,
});

const equal =
  (column: string, type: string, right: unknown): Part<readonly string[]> =>
  (value) => [`t.${column} = ${value(right)}::${type}`];

/** Matches one of several values. A single value becomes `=`, so that an index also gives the order. */
const isOneOf = (column: string, type: string, values: readonly string[]): Part<readonly string[]> =>
  values.length === 1
    ? equal(column, type, values[0])
    : (value) => [`t.${column} = ANY (${value(values)}::${type}[])`];

/** A column in the index of the order of creation. No index finds a rare value. */
const covered =
  (column: string, type = 'text'): One<readonly string[] | boolean> =>
  (given, { key }) => ({
    where: typeof given === 'boolean' ? equal(column, type, given) : isOneOf(column, type, given),
    lead: null,
    covered: key === 'created_at' ? [column] : null,
  });

/** A column with an index of its own, in the order of creation. */
const indexed =
  (column: string, type = 'text'): One<readonly string[] | string> =>
  (given, listed) => {
    const values = typeof given === 'string' ? [given] : given;
    const where = isOneOf(column, type, values);
    return { where, lead: inRows(where, listed, values.length === 1), covered: null };
  };

/** A column that names hardly more than one row. */
const unique =
  (column: string, type: string): One<string> =>
  (given, listed) => {
    const where = equal(column, type, given);
    return { where, lead: inRows(where, listed, false), covered: null };
  };

/** A flag whose true rows have an index of their own. */
const flagged =
  (isTrue: string): One<boolean> =>
  (wanted, listed) => {
    const where = () => [wanted ? isTrue : `(${isTrue}) IS NOT TRUE`];
    return { where, lead: wanted ? inRows(where, listed, true) : null, covered: null };
  };

/** A field whose values are terms. A term is in lower case and names no field, so the field is compared, too. */
const identified =
  (equals: (parameter: string) => string): One<string> =>
  (text, listed) => ({
    where: (value) => [equals(`${value(text)}::text`)],
    lead: inTerms((value) => `search_term(${value(text)}::text)`, listed, false),
    covered: null,
  });

/** A column with terms of its own kind. */
const storedAs =
  (kind: 'fingerprint' | 'bin'): One<string> =>
  (text, listed) => ({
    where: equal(`card_${kind}`, 'text', text),
    lead: inTerms((value) => `'${kind}:' || ${value(text)}::text`, listed, true),
    covered: null,
  });

/** A term has the beginning of a long value, so a value is found by its beginning. */
const hasPair = ([key, text]: readonly [string, string], listed: Listed): Filter => ({
  where: (value) => [`left(t.metadata->>${value(key)}::text, 500) = ${value(text)}::text`],
  lead: inTerms((value) => `metadata_term(${value(key)}, ${value(text)})`, listed, true),
  covered: null,
});

/** A rule of one filter. */
const one =
  <Value>(filter: One<Value>): Rule<Value> =>
  (value, listed) => [filter(value, listed)];

const RULES: { readonly [Name in Ruled]: Rule<NonNullable<TransactionFilter[Name]>> } = {
  id: one(unique('id', 'uuid')),
  reconciliationId: one(unique('id', 'uuid')),
  status: one(indexed('status')),
  currency: one(covered('currency')),
  country: one(covered('country')),
  method: one(covered('method')),
  paymentServiceId: one(covered('payment_service_id', 'uuid')),
  paymentMethodId: one(indexed('payment_method_id', 'uuid')),
  paymentLinkId: one(unique('payment_link_id', 'uuid')),
  paymentServiceTransactionId: (text, listed) => {
    const where: Part<readonly string[]> = (value) => [
      `t.payment_service_transaction_id COLLATE "C" = ${value(text)}::text`,
    ];
    return [{ where, lead: inRows(where, listed, false), covered: null }];
  },
  externalIdentifier: one(identified((text) => `t.external_identifier = ${text}`)),
  buyerId: one(indexed('buyer_id', 'uuid')),
  buyerExternalIdentifier: one(identified((text) => `t.buyer->>'externalIdentifier' = ${text}`)),
  buyerEmailAddress: one(
    identified((text) => `lower(t.buyer->'billingDetails'->>'emailAddress') = lower(${text})`),
  ),
  cardScheme: one(covered('card_scheme')),
  cardCountry: one(covered('card_country')),
  cardFingerprint: one(storedAs('fingerprint')),
  cardBin: one(storedAs('bin')),
  cardLastFour: one(identified((digits) => `t.card_last_four = ${digits}`)),
  errorCode: one(indexed('error_code')),
  antiFraudDecision: one(indexed('anti_fraud_decision')),
  pendingReview: one(flagged(`t.fraud_review = 'pending'`)),
  hasRefunds: one(flagged('t.refunded_amount > 0')),
  hasGiftCardRedemptions: one(flagged('t.gift_card_amount > 0')),
  // The source `none` means that nobody authenticated the buyer. An index has the same condition.
  hasThreeDSecure: one(flagged(`t.three_d_secure->>'source' <> 'none'`)),
  paymentSource: one(covered('payment_source')),
  merchantInitiated: one(covered('merchant_initiated', 'bool')),
  isSubsequentPayment: one(covered('is_subsequent_payment', 'bool')),
  metadata: (pairs, listed) => Object.entries(pairs).map((pair) => hasPair(pair, listed)),
  search: (words, { account }) => words.map((word) => foundBy(word, account)),
};
