import type { Db } from '../../../platform/database/db.ts';
import { rowReader, type JsonRow } from '../../../platform/database/json-row.ts';
import type { PaymentServiceCircuitModel } from '../../../platform/generated/prisma/models.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Circuit } from '../circuit/circuit.ts';
import { DECIDING_VERSION, type Payee } from './deciding-version.sql.ts';
import type { Intent } from './intent.ts';
import type { MeansFeature } from './means.ts';
import type { MerchantProfile } from '../model/merchant-profile.ts';
import type { ThreeDSecureFallback } from '../model/payment-service.ts';
import type { ConnectionRow } from '../store.ts';
import { prepare } from '../../../platform/database/statement.ts';

/** The properties of a payment that a service must accept. */
export type CandidateFilter = {
  readonly method: string;
  readonly currency: string;
  /** Null: the payment has no country, so any service's countries match. */
  readonly country: string | null;
  /** True: only a service with 3DS. Left out: any service. */
  readonly authenticates?: boolean | undefined;
  /** Null or left out: any intent. */
  readonly intent?: Intent | null | undefined;
  /** The feature that the means to pay need. Null or left out: any service. */
  readonly means?: MeansFeature | null | undefined;
  /** The services that pay with a token of their own, whatever the means need. Left out: none. */
  readonly knownTo?: readonly string[] | undefined;
  /** True: the payment stores a token in place of a card. Left out: no token is stored. */
  readonly storesToken?: boolean | undefined;
  /** True: the payment brings the data of an authentication elsewhere. Left out: no such data. */
  readonly passesThrough?: boolean | undefined;
  /** The number of instalments. Every service takes one instalment. Null or left out: one. */
  readonly installmentCount?: number | null | undefined;
  /** The network that the buyer chose for the card. Null or left out: no choice. */
  readonly cardNetwork?: string | null | undefined;
  /** True: the payment has shares of accounts. Left out: no shares. */
  readonly splits?: boolean | undefined;
  /** Only this service, if it accepts. Null or left out: any service. */
  readonly paymentServiceId?: string | null | undefined;
};

/** The definitions of the catalogue that decide about a payment. */
export type Catalogue = {
  /** Ids of all definitions. */
  readonly definitionIds: readonly string[];
  /** Ids of the definitions that take only another currency in the country. */
  readonly foreign: readonly string[];
  /** Ids of the definitions that do not serve the intent. */
  readonly unserving: readonly string[];
  /** Ids of the definitions that take cards, and lack the feature of the means. */
  readonly unable: readonly string[];
  /** Ids of the definitions whose services take the means only if their field of the feature's name says so. */
  readonly guarded: readonly string[];
  /** Ids of the definitions that take cards, and take no data of an authentication elsewhere. */
  readonly notPassing: readonly string[];
  /** Ids of the definitions that do not serve the instalments of the payment. */
  readonly unsplitting: readonly string[];
  /** Ids of the definitions that do not take the choice of the card's network. */
  readonly unchoosing: readonly string[];
  /** Ids of the definitions that do not share the money of the payment among accounts. */
  readonly unsharing: readonly string[];
};

/** A payment service that accepts a payment. */
export type Candidate = ConnectionRow & {
  readonly displayName: string;
  readonly position: number;
  readonly threeDSecureEnabled: boolean;
  readonly threeDSecureFallback: ThreeDSecureFallback;
  readonly paymentMethodTokenizationEnabled: boolean;
  readonly openLoop: boolean;
  readonly merchantProfile: readonly Omit<MerchantProfile, 'createdAt'>[] | null;
  /** The open circuit of the service. Null without one. */
  readonly circuit: Circuit | null;
};

/** Makes the condition that a service takes means to pay, if the payment needs the feature. */
const takes = (feature: MeansFeature, more = ''): string =>
  `(@means::text IS DISTINCT FROM '${feature}' OR s.definition_id <> ALL (@unable)${more})`;

/** The condition on the field of the means, if the definition has the field. The field holds a text, whatever its format. */
const ALLOWED = `(s.definition_id <> ALL (@guarded) OR s.fields @> jsonb_build_array(jsonb_build_object('key', @means::text, 'value', 'true')))`;

/**
 * The rule of routing: the conditions on a service `s` that is not deleted. Each has the reason for passing over it.
 * Selection requires all conditions and the explanation lists the unmet ones, so the two cannot drift apart.
 */
const RULE = {
  inactive: 's.active',
  not_ready: `s.status <> 'failed'`,
  method: 's.method = @method',
  currency: '@currency = ANY (s.accepted_currencies)',
  country: '(@country::text IS NULL OR @country = ANY (s.accepted_countries))',
  local_currency: 's.definition_id <> ALL (@foreign)',
  not_requested: '(@service::uuid IS NULL OR s.id = @service)',
  unavailable: 's.definition_id = ANY (@definitions)',
  intent: 's.definition_id <> ALL (@unserving)',
  three_d_secure: '(NOT @authenticates::bool OR s.three_d_secure_enabled)',
  three_d_secure_pass_through: '(NOT @passesThrough::bool OR s.definition_id <> ALL (@notPassing))',
  installments: 's.definition_id <> ALL (@unsplitting)',
  card_network_choice: 's.definition_id <> ALL (@unchoosing)',
  splits: 's.definition_id <> ALL (@unsharing)',
  raw_card_data: `(s.id = ANY (@knownTo::uuid[]) OR ${takes('raw_card_data', ` AND ${ALLOWED}`)})`,
  apple_pay: takes('apple_pay'),
  google_pay: takes('google_pay'),
  provider_tokens: takes('provider_tokens'),
  card_page: takes('card_page'),
  payment_method_tokenization: '(NOT @storesToken::bool OR s.payment_method_tokenization_enabled)',
  network_tokens: takes('network_tokens', ` AND s.network_tokens_enabled AND ${ALLOWED}`),
} as const;

/** The reason why routing passes over a payment service. */
export type RoutingReason = keyof typeof RULE;

const OF_ACCOUNT = 's.merchant_account_id = @account AND s.deleted_at IS NULL';
const ACCEPTS = Object.values(RULE).join(' AND ');
/** IS NOT TRUE is the exact opposite of a WHERE condition, NULL included. */
const REASONS = `array_remove(ARRAY[${Object.entries(RULE)
  .map(([reason, holds]) => `CASE WHEN (${holds}) IS NOT TRUE THEN '${reason}' END`)
  .join(', ')}], NULL)`;

/** The services that can take a payment, and the anti-fraud service that checks the payment first. */
export type Route = {
  /** By position, then id. */
  readonly candidates: readonly Candidate[];
  /** The merchant account's active anti-fraud service. Null without one, and without a candidate. */
  readonly antiFraudServiceId: string | null;
  /** The version of the merchant's own rules that decides now. Null without one, and without a candidate. */
  readonly routingVersionId: string | null;
  /** The latest figures of the merchant account for rules that compare services. Null without any, and without a candidate. */
  readonly routingFiguresId: string | null;
};

/** The facts about the merchant account that come with each row. */
type OfAccount = Pick<Route, 'antiFraudServiceId' | 'routingVersionId' | 'routingFiguresId'>;

const accepting = prepare(
  'payment_services_accepting',
  `
      SELECT s.id, s.definition_id AS "definitionId", s.fields, s.sealed_fields AS "sealedFields",
             s.webhook_token AS "webhookToken",
             s.display_name AS "displayName", s.position, s.three_d_secure_enabled AS "threeDSecureEnabled",
             s.three_d_secure_fallback AS "threeDSecureFallback",
             s.payment_method_tokenization_enabled AS "paymentMethodTokenizationEnabled",
             s.open_loop AS "openLoop", s.merchant_profile AS "merchantProfile",
             (SELECT to_jsonb(c) FROM payment_service_circuit c
              WHERE c.merchant_account_id = @account AND c.payment_service_id = s.id) AS circuit,
             (SELECT a.id FROM anti_fraud_service a
              WHERE a.merchant_account_id = @account AND a.active AND a.deleted_at IS NULL) AS "antiFraudServiceId",
             ${DECIDING_VERSION} AS "routingVersionId",
             (SELECT f.id FROM routing_figures f
              WHERE f.merchant_account_id = @account ORDER BY f.id DESC LIMIT 1) AS "routingFiguresId"
      FROM payment_service s
      WHERE ${OF_ACCOUNT} AND ${ACCEPTS}
      ORDER BY s.position, s.id`,
);

const readCircuit = rowReader<PaymentServiceCircuitModel, Circuit>();

type Accepting = Omit<Candidate, 'circuit'> & OfAccount & { readonly circuit: JsonRow | null };

/**
 * Finds the services that accept a payment, the active anti-fraud service, and the active version of rules with its figures. All
 * are of one snapshot. With `circuits` false, each service is as one without an open circuit.
 */
export async function findAccepting(
  db: Db,
  { merchantAccountId, apiKeyPairId, routingVersionId }: Payee,
  filter: CandidateFilter,
  { now, circuits, ...catalogue }: Catalogue & { readonly now: Date; readonly circuits: boolean },
): Promise<Route> {
  const key = apiKeyPairId !== undefined && isUuid(apiKeyPairId) ? apiKeyPairId : null;
  const rows = await db.query<Accepting>(
    accepting({
      ...valuesOf(merchantAccountId, filter, catalogue),
      key,
      named: routingVersionId ?? null,
      now,
    }),
  );
  return {
    candidates: rows.map(
      ({
        antiFraudServiceId: _service,
        routingVersionId: _version,
        routingFiguresId: _figures,
        circuit,
        ...candidate
      }) => ({ ...candidate, circuit: circuit && circuits ? readCircuit(circuit) : null }),
    ),
    antiFraudServiceId: rows[0]?.antiFraudServiceId ?? null,
    routingVersionId: rows[0]?.routingVersionId ?? null,
    routingFiguresId: rows[0]?.routingFiguresId ?? null,
  };
}

/** A payment service as routing considers it. A service without reasons accepts the payment. */
export type Considered = {
  readonly id: string;
  readonly definitionId: string;
  /** In the order of the rule. */
  readonly reasons: readonly RoutingReason[];
  /** False for an accepting service beyond the listed ones. */
  readonly listed: boolean;
  /** The number of services that are not deleted, and the number of those that accept. */
  readonly total: number;
  readonly accepting: number;
  /** True when some service fails only the intent. */
  readonly intentAlone: boolean;
};

const considered = prepare(
  'payment_services_considered',
  `
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
             intent_alone AS "intentAlone", (place <= @max OR id = @service) IS TRUE AS listed
      FROM placed
      WHERE place <= @max OR id = @service OR (reasons = '{}' AND place_among_alike <= @max)
      ORDER BY place`,
);

/**
 * Reads the merchant account's services by position, then id, in one snapshot:
 * - the first `max` of all
 * - the first `max` that accept
 * - the requested one, in any place
 */
export async function findConsidered(
  db: Db,
  merchantAccountId: string,
  filter: CandidateFilter,
  { max, ...catalogue }: Catalogue & { readonly max: number },
): Promise<readonly Considered[]> {
  return await db.query<Considered>(considered({ ...valuesOf(merchantAccountId, filter, catalogue), max }));
}

/** Returns the parameters of the rule. */
function valuesOf(
  merchantAccountId: string,
  filter: CandidateFilter,
  {
    definitionIds,
    foreign,
    unserving,
    unable,
    guarded,
    notPassing,
    unsplitting,
    unchoosing,
    unsharing,
  }: Catalogue,
): Readonly<Record<string, unknown>> {
  const { method, currency, country, authenticates, means, knownTo, passesThrough, storesToken } = filter;
  const requested = filter.paymentServiceId ?? null;
  const id = requested === null || isUuid(requested) ? requested : NOBODY;
  return {
    account: merchantAccountId,
    method,
    currency,
    country,
    authenticates: authenticates ?? false,
    service: id,
    definitions: definitionIds,
    foreign,
    unserving,
    means: means ?? null,
    knownTo: knownTo ?? [],
    unable,
    guarded,
    passesThrough: passesThrough ?? false,
    storesToken: storesToken ?? false,
    notPassing,
    unsplitting,
    unchoosing,
    unsharing,
  };
}

/** The id used for a text that is no UUID. It matches nothing, and the text never reaches a uuid column. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
