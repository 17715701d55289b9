import type { PaymentLinkFilter } from '../filter.ts';
import type { PaymentLinkStatus } from '../payment-link.ts';

/** Adds a value to the statement and returns its parameter, such as `$3`. */
export type AddValue = (value: unknown) => string;

type Rule<Value> = (value: Value, add: AddValue) => readonly string[];

/**
 * Returns the conditions of the given filters on a row `l` of payment_link. Absent filters add nothing: a condition
 * that passes for null would keep the planner from every index.
 */
export const conditionsOf = (filter: PaymentLinkFilter, add: AddValue): readonly string[] =>
  (Object.keys(RULES) as (keyof PaymentLinkFilter)[]).flatMap((name) => rule(name, filter[name], add));

function rule<Name extends keyof PaymentLinkFilter>(
  name: Name,
  value: PaymentLinkFilter[Name],
  add: AddValue,
): readonly string[] {
  // TypeScript does not see that a filter and its rule have the same name.
  return value === null ? [] : (RULES[name] as Rule<typeof value>)(value, add);
}

const compared =
  (left: string, type: string): Rule<unknown> =>
  (right, add) => [`${left} ${add(right)}::${type}`];

const oneOf =
  (column: string): Rule<readonly string[]> =>
  (values, add) => [`${column} = ANY (${add(values)}::text[])`];

type Matches = (column: string, text: string) => string;

const isSame: Matches = (column, text) => `${column} = ${text}`;

/**
 * Matches a prefix as a range, which an index sorted by code point can answer. Nothing sorts behind the last code
 * point.
 */
const beginsWith: Matches = (column, text) => `${column} >= ${text} AND ${column} < ${text} || chr(1114111)`;

const hasTerm = (matches: Matches, term: string): string =>
  `EXISTS (SELECT FROM payment_link_term x WHERE x.merchant_account_id = l.merchant_account_id
    AND ${matches('x.term', term)} AND x.payment_link_id = l.id)`;

/**
 * Finds a row by its term, then compares the field itself. A term is in lower case and names no field. The coalesce
 * hides the comparison from the planner. The planner would take the two conditions for unrelated and expect hardly any
 * match.
 */
const identified =
  (equals: (parameter: string) => string): Rule<string> =>
  (text, add) => {
    const parameter = `${add(text)}::text`;
    return [hasTerm(isSame, `search_term(${parameter})`), `coalesce(${equals(parameter)}, false)`];
  };

/**
 * The shortest prefix that is searched. A shorter word must match as a whole, because one or two letters begin half of
 * all terms.
 */
const PREFIX_MIN = 3;

/** Conditions of the shown statuses. An active link past its expiry counts as expired. */
const STATUSES: Readonly<Record<PaymentLinkStatus, string>> = {
  active: `(l.status = 'active' AND l.expires_at > statement_timestamp())`,
  processing: `l.status = 'processing'`,
  completed: `l.status = 'completed'`,
  expired: `(l.status = 'expired' OR l.status = 'active' AND l.expires_at <= statement_timestamp())`,
};

const RULES: { readonly [Name in keyof PaymentLinkFilter]: Rule<NonNullable<PaymentLinkFilter[Name]>> } = {
  id: compared('l.id =', 'uuid'),
  status: (statuses) => [`(${statuses.map((status) => STATUSES[status]).join(' OR ')})`],
  amountEq: compared('l.amount =', 'int'),
  amountGte: compared('l.amount >=', 'int'),
  amountLte: compared('l.amount <=', 'int'),
  currency: oneOf('l.currency'),
  country: oneOf('l.country'),
  createdAtGte: compared('l.created_at >=', 'timestamptz'),
  createdAtLte: compared('l.created_at <=', 'timestamptz'),
  updatedAtGte: compared('l.updated_at >=', 'timestamptz'),
  updatedAtLte: compared('l.updated_at <=', 'timestamptz'),
  expiresAtGte: compared('l.expires_at >=', 'timestamptz'),
  expiresAtLte: compared('l.expires_at <=', 'timestamptz'),
  buyerId: compared('l.buyer_id =', 'uuid'),
  buyerExternalIdentifier: identified((text) => `l.buyer->>'externalIdentifier' = ${text}`),
  buyerEmailAddress: identified(
    (text) => `lower(l.buyer->'billingDetails'->>'emailAddress') = lower(${text})`,
  ),
  externalIdentifier: identified((text) => `l.external_identifier = ${text}`),
  metadata: (pairs, add) =>
    Object.entries(pairs).map(([key, text]) => hasTerm(isSame, `metadata_term(${add(key)}, ${add(text)})`)),
  search: (words, add) =>
    words.map(({ text, id }) => {
      const matches = Array.from(text).length < PREFIX_MIN ? isSame : beginsWith;
      const found = hasTerm(matches, `search_term(${add(text)}::text)`);
      return id === null ? found : `(${found} OR l.id = ${add(id)}::uuid)`;
    }),
};
