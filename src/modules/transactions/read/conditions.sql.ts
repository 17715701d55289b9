import type { TransactionFilter } from '../model/filter.ts';
import { foundBy, isSame, withTerm } from './search.sql.ts';
import type { AddValue, Bounds, Building } from './statement-building.ts';

/**
 * The conditions of filters. `where` applies to a row `t` of transaction. Each query of (created_at, id) in `sources`
 * must contain the row.
 */
export type Conditions = { readonly where: readonly string[]; readonly sources: readonly string[] };

/**
 * Returns the conditions of the given filters only. A condition that accepts every row for a null value would keep the planner
 * from every index.
 */
export function conditionsOf(filter: TransactionFilter, building: Building): Conditions {
  const all = (Object.keys(RULES) as Ruled[]).map((name) => rule(name, filter[name], building));
  return {
    where: all.flatMap(({ where = [] }) => where),
    sources: all.flatMap(({ sources = [] }) => sources),
  };
}

/** Returns the filters by creation. Search terms are stored in the order of creation, so the filters apply to terms too. */
export function createdBounds({ createdAtGte, createdAtLte }: TransactionFilter, value: AddValue): Bounds {
  const from = createdAtGte && `>= ${value(createdAtGte)}::timestamptz`;
  const to = createdAtLte && `<= ${value(createdAtLte)}::timestamptz`;
  return (createdAt) => [from, to].filter((bound) => bound !== null).map((bound) => `${createdAt} ${bound}`);
}

type Ruled = Exclude<keyof TransactionFilter, 'createdAtGte' | 'createdAtLte'>;
type Rule<Value> = (value: Value, building: Building) => Partial<Conditions>;

const rule = <Name extends Ruled>(
  name: Name,
  value: TransactionFilter[Name],
  building: Building,
): Partial<Conditions> =>
  // TypeScript cannot see that a filter and its rule have the same name.
  value === null ? {} : (RULES[name] as Rule<typeof value>)(value, building);

const compared =
  (left: string, type = 'text'): Rule<unknown> =>
  (right, { value }) => ({ where: [`${left} ${value(right)}::${type}`] });

/** Matches one of several values. A single value becomes `=`, so that an index also gives the order. */
const oneOf =
  (column: string, type = 'text'): Rule<readonly string[]> =>
  (values, { value }) => ({
    where: [
      values.length === 1
        ? `${column} = ${value(values[0])}::${type}`
        : `${column} = ANY (${value(values)}::${type}[])`,
    ],
  });

/**
 * Finds rows by a term and then compares the column. A term is in lower case and names no field. The coalesce hides the
 * comparison from the planner. The planner would take both conditions for unrelated and expect hardly any match.
 */
const identified =
  (equals: (parameter: string) => string): Rule<string> =>
  (text, building) => {
    const parameter = `${building.value(text)}::text`;
    return {
      where: [`coalesce(${equals(parameter)}, false)`],
      sources: [withTerm(isSame, `search_term(${parameter})`, building)],
    };
  };

const storedAs =
  (kind: 'fingerprint' | 'bin'): Rule<string> =>
  (text, building) => ({
    sources: [withTerm(isSame, `'${kind}:' || ${building.value(text)}::text`, building)],
  });

/** The source `none` means that nobody authenticated the buyer. An index has the same condition. */
const USED_3DS = `t.three_d_secure->>'source' <> 'none'`;

const RULES: { readonly [Name in Ruled]: Rule<NonNullable<TransactionFilter[Name]>> } = {
  id: compared('t.id =', 'uuid'),
  reconciliationId: compared('t.id =', 'uuid'),
  status: oneOf('t.status'),
  amountEq: compared('t.amount =', 'int'),
  amountGte: compared('t.amount >=', 'int'),
  amountLte: compared('t.amount <=', 'int'),
  currency: oneOf('t.currency'),
  country: oneOf('t.country'),
  updatedAtGte: compared('t.updated_at >=', 'timestamptz'),
  updatedAtLte: compared('t.updated_at <=', 'timestamptz'),
  method: oneOf('t.method'),
  paymentServiceId: oneOf('t.payment_service_id', 'uuid'),
  paymentMethodId: compared('t.payment_method_id =', 'uuid'),
  paymentLinkId: compared('t.payment_link_id =', 'uuid'),
  paymentServiceTransactionId: compared('t.payment_service_transaction_id COLLATE "C" ='),
  externalIdentifier: identified((text) => `t.external_identifier = ${text}`),
  buyerId: compared('t.buyer_id =', 'uuid'),
  buyerExternalIdentifier: identified((text) => `t.buyer->>'externalIdentifier' = ${text}`),
  buyerEmailAddress: identified(
    (text) => `lower(t.buyer->'billingDetails'->>'emailAddress') = lower(${text})`,
  ),
  cardScheme: oneOf('t.card_scheme'),
  cardCountry: oneOf('t.card_country'),
  cardFingerprint: storedAs('fingerprint'),
  cardBin: storedAs('bin'),
  cardLastFour: identified((digits) => `t.card_last_four = ${digits}`),
  errorCode: oneOf('t.error_code'),
  antiFraudDecision: oneOf('t.anti_fraud_decision'),
  pendingReview: (isOpen) => ({
    where: [isOpen ? `t.fraud_review = 'pending'` : `t.fraud_review IS DISTINCT FROM 'pending'`],
  }),
  hasRefunds: (refunded) => ({ where: [refunded ? 't.refunded_amount > 0' : 't.refunded_amount = 0'] }),
  hasGiftCardRedemptions: (redeems) => ({
    where: [redeems ? 't.gift_card_amount > 0' : 't.gift_card_amount = 0'],
  }),
  hasThreeDSecure: (used) => ({ where: [used ? USED_3DS : `(${USED_3DS}) IS NOT TRUE`] }),
  paymentSource: oneOf('t.payment_source'),
  merchantInitiated: compared('t.merchant_initiated =', 'bool'),
  isSubsequentPayment: compared('t.is_subsequent_payment =', 'bool'),
  metadata: (pairs, building) => ({
    sources: Object.entries(pairs).map(([key, text]) =>
      withTerm(isSame, `metadata_term(${building.value(key)}, ${building.value(text)})`, building),
    ),
  }),
  search: (words, building) => ({ sources: words.map((word) => foundBy(word, building)) }),
};
