import type { App } from '../../app.ts';
import { catalogueOf } from './candidates.ts';
import { findConsidered, type CandidateFilter, type RoutingReason } from './store/routing.ts';

/** What routing makes of a payment, payment services by position, then id. */
export type RoutingOfServices = {
  /** Those that accept, the same as those of `findCandidates`; at most the first 200. */
  readonly candidates: readonly { readonly id: string; readonly definitionId: string }[];
  readonly candidateCount: number;
  /** Whether another intent would make a candidate of one that accepts all else. */
  readonly intentAlone: boolean;
  /** All that are not deleted: at most the first 200, and the one that is asked for if it comes after them. */
  readonly considered: readonly ConsideredPaymentService[];
  readonly consideredCount: number;
};

export type ConsideredPaymentService = {
  readonly paymentServiceId: string;
  /** True when there is no reason against it. */
  readonly accepts: boolean;
  /** All of them, not only the first that was found. */
  readonly reasons: readonly { readonly code: RoutingReason; readonly message: string }[];
};

/** Says of each payment service of a merchant account why it accepts a payment or not. Reads one moment; changes nothing. */
export async function explainCandidates(
  app: App,
  merchantAccountId: string,
  filter: CandidateFilter,
): Promise<RoutingOfServices> {
  const found = await findConsidered(app.db, merchantAccountId, filter, {
    ...catalogueOf(app, filter),
    max: LISTED_MAX,
  });
  return {
    candidates: found
      .filter(({ reasons }) => reasons.length === 0)
      .map(({ id, definitionId }) => ({ id, definitionId })),
    candidateCount: found[0]?.accepting ?? 0,
    intentAlone: found[0]?.intentAlone ?? false,
    considered: found
      .filter(({ listed }) => listed)
      .map(({ id, reasons }) => ({
        paymentServiceId: id,
        accepts: reasons.length === 0,
        reasons: reasons.map((code) => ({ code, message: SENTENCES[code] })),
      })),
    consideredCount: found[0]?.total ?? 0,
  };
}

/** More than a merchant account has in earnest, and few enough to be answered and read at once. */
const LISTED_MAX = 200;

const SENTENCES = {
  inactive: 'The payment service is inactive.',
  not_ready: 'The status of the payment service is not CREATED.',
  method: 'The payment service has another method.',
  currency: 'The payment service does not accept the currency.',
  country: 'The payment service does not accept the country.',
  not_requested: 'The request names another payment service.',
  unavailable:
    'This installation has no connector for the definition, or the definition works in the sandbox only.',
  intent:
    'The payment service cannot capture later (feature delayed_capture), so the intent must be CAPTURE.',
} as const satisfies Record<RoutingReason, string>;
