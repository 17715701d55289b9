import type { Db, Statement } from '../../../platform/db.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Intent } from '../intent.ts';
import type { ThreeDSecureFallback } from '../payment-service.ts';
import type { ConnectionRow } from '../store.ts';

/** What a payment must be accepted for. */
export type CandidateFilter = {
  readonly method: string;
  readonly currency: string;
  /** Null: the payment has no country, and every service's countries will do. */
  readonly country: string | null;
  /** Null or left out: whatever it is. */
  readonly intent?: Intent | null | undefined;
  /** Only this one, if it accepts; null or left out: any. */
  readonly paymentServiceId?: string | null | undefined;
};

/** What of the catalogue decides about a payment. */
export type Catalogue = {
  /** Ids of all definitions. */
  readonly definitionIds: readonly string[];
  /** Ids of those that do not serve its intent. */
  readonly unserving: readonly string[];
};

/** A payment service that accepts a payment. */
export type Candidate = ConnectionRow & {
  readonly displayName: string;
  readonly position: number;
  readonly threeDSecureEnabled: boolean;
  readonly threeDSecureFallback: ThreeDSecureFallback;
};

/**
 * The rule of routing: what must hold of a service `s` that is not deleted, by the reason that is told when it does not.
 * The selection asks for all of it and the explanation says what is missing, so that the two cannot drift apart.
 */
const RULE = {
  inactive: 's.active',
  not_ready: `s.status = 'created'`,
  method: 's.method = $2',
  currency: '$3 = ANY (s.accepted_currencies)',
  country: '($4::text IS NULL OR $4 = ANY (s.accepted_countries))',
  not_requested: '($5::uuid IS NULL OR s.id = $5)',
  unavailable: 's.definition_id = ANY ($6)',
  intent: 's.definition_id <> ALL ($7)',
} as const;

/** Why a payment service is not asked for a payment. */
export type RoutingReason = keyof typeof RULE;

const OF_ACCOUNT = 's.merchant_account_id = $1 AND s.deleted_at IS NULL';
const ACCEPTS = Object.values(RULE).join(' AND ');
/** IS NOT TRUE is the exact opposite of what WHERE lets through, NULL included. */
const REASONS = `array_remove(ARRAY[${Object.entries(RULE)
  .map(([reason, holds]) => `CASE WHEN (${holds}) IS NOT TRUE THEN '${reason}' END`)
  .join(', ')}], NULL)`;

/** Who takes a payment, and who judges it first. */
export type Route = {
  /** By position, then id. */
  readonly candidates: readonly Candidate[];
  /** The merchant account's active anti-fraud service; null when there is none, and when there is no candidate. */
  readonly antiFraudServiceId: string | null;
};

/** The ready services that accept a payment, and the anti-fraud service that is active beside them: both of one moment. */
export async function findAccepting(
  db: Db,
  merchantAccountId: string,
  filter: CandidateFilter,
  catalogue: Catalogue,
): Promise<Route> {
  const rows = await db.query<Candidate & Pick<Route, 'antiFraudServiceId'>>({
    name: 'payment_services_accepting',
    text: `
      SELECT s.id, s.definition_id AS "definitionId", s.fields, s.sealed_fields AS "sealedFields",
             s.display_name AS "displayName", s.position, s.three_d_secure_enabled AS "threeDSecureEnabled",
             s.three_d_secure_fallback AS "threeDSecureFallback",
             (SELECT a.id FROM anti_fraud_service a
              WHERE a.merchant_account_id = $1 AND a.active AND a.deleted_at IS NULL) AS "antiFraudServiceId"
      FROM payment_service s
      WHERE ${OF_ACCOUNT} AND ${ACCEPTS}
      ORDER BY s.position, s.id`,
    values: valuesOf(merchantAccountId, filter, catalogue),
  });
  return {
    candidates: rows.map(({ antiFraudServiceId: _, ...candidate }) => candidate),
    antiFraudServiceId: rows[0]?.antiFraudServiceId ?? null,
  };
}

/** A payment service as routing looks at it; it accepts when there is no reason against it. */
export type Considered = {
  readonly id: string;
  readonly definitionId: string;
  /** In the order of the rule. */
  readonly reasons: readonly RoutingReason[];
  /** False for what is only here because it accepts: it comes after as many as are listed. */
  readonly listed: boolean;
  /** How many services the merchant account has that are not deleted, and how many of them accept. */
  readonly total: number;
  readonly accepting: number;
  /** Whether there is one that has nothing against it but the intent. */
  readonly intentAlone: boolean;
};

/**
 * The merchant account's services by position, then id: the first `max` of all, the first `max` that accept, and the one
 * that is asked for wherever it stands. All of one moment.
 */
export async function findConsidered(
  db: Db,
  merchantAccountId: string,
  filter: CandidateFilter,
  { max, ...catalogue }: Catalogue & { readonly max: number },
): Promise<readonly Considered[]> {
  return await db.query<Considered>({
    name: 'payment_services_considered',
    text: `
      WITH judged AS (
        SELECT s.id, s.definition_id, s.position, ${REASONS} AS reasons
        FROM payment_service s WHERE ${OF_ACCOUNT}
      ), placed AS (
        SELECT id, definition_id, reasons, count(*) OVER ()::int AS total,
               count(*) FILTER (WHERE reasons = '{}') OVER ()::int AS accepting,
               bool_or(reasons = '{intent}') OVER () AS intent_alone,
               row_number() OVER (ORDER BY position, id) AS place,
               row_number() OVER (PARTITION BY reasons = '{}' ORDER BY position, id) AS place_among_alike
        FROM judged
      )
      SELECT id, definition_id AS "definitionId", reasons, total, accepting,
             intent_alone AS "intentAlone", (place <= $8 OR id = $5) IS TRUE AS listed
      FROM placed
      WHERE place <= $8 OR id = $5 OR (reasons = '{}' AND place_among_alike <= $8)
      ORDER BY place`,
    values: [...valuesOf(merchantAccountId, filter, catalogue), max],
  });
}

/** The parameters of the rule: $1 to $7. */
function valuesOf(
  merchantAccountId: string,
  { method, currency, country, paymentServiceId }: CandidateFilter,
  { definitionIds, unserving }: Catalogue,
): Statement['values'] {
  const asked = paymentServiceId ?? null;
  const id = asked === null || isUuid(asked) ? asked : NOBODY;
  return [merchantAccountId, method, currency, country, id, definitionIds, unserving];
}

/** Stands for a text that is no id: it names nothing, and must not reach a uuid column. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
