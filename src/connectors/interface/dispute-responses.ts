import type { CallContext } from './call-context.ts';
import type { DisputeStage } from '../notices/disputes.ts';
import type { UnknownCause } from './outcome.ts';

/** The subjects of evidence, in the same words for every provider. */
export const EVIDENCE_KINDS = [
  ...(['receipt', 'customer_communication', 'shipping', 'service', 'refund_policy'] as const),
  ...(['cancellation_policy', 'duplicate_charge', 'other'] as const),
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** The kinds of files that providers take. */
export const EVIDENCE_FORMATS = ['pdf', 'jpeg', 'png'] as const;
export type EvidenceFormat = (typeof EVIDENCE_FORMATS)[number];

/** The merchant's evidence against a dispute. At most one text and one file of each kind. */
export type Evidence = {
  readonly texts: readonly { readonly kind: EvidenceKind; readonly text: string }[];
  readonly files: readonly EvidenceFile[];
};

export type EvidenceFile = {
  readonly kind: EvidenceKind;
  readonly name: string;
  readonly format: EvidenceFormat;
  /** In base64. */
  readonly content: string;
};

/** The dispute to respond to. `key` is one for each response, and the same on every attempt. */
export type DisputeRequest = {
  readonly key: string;
  /** The provider's id of the dispute. */
  readonly disputeReference: string;
  /** The stage that the response is about. A provider that knows another stage refuses the response. */
  readonly stage: DisputeStage;
  /** The provider's id of the disputed payment. Null if unknown. */
  readonly paymentReference: string | null;
};

/**
 * A provider's answer to a response.
 *
 * - `done`: the provider has the response, now or from an earlier attempt.
 * - `refused`: the provider refused explicitly.
 * - `unknown`: everything else. The provider may have the response.
 */
export type DisputeAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly errorCode: string }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };

/**
 * The responses to disputes. A definition with the feature has the verb. A second request under the same key has no further
 * effect and gets the same answer. So an unknown outcome is resolved by a retry. A connector whose provider keeps no keys
 * looks at the dispute first.
 */
export type DisputeResponses = {
  /** Gives the evidence to the provider, which decides later. Feature `dispute_evidence`. */
  readonly submitEvidence?: (
    context: CallContext,
    request: DisputeRequest & { readonly evidence: Evidence },
  ) => Promise<DisputeAnswer>;
  /** Gives the disputed money up. Feature `dispute_acceptance`. */
  readonly accept?: (context: CallContext, request: DisputeRequest) => Promise<DisputeAnswer>;
};

type Respond<Api, Request> = (api: Api, request: Request) => Promise<DisputeAnswer>;

/** The responses of a connector, each with the open calls of its provider. */
type RespondersBy<Api> = {
  readonly submitEvidence: Respond<Api, DisputeRequest & { readonly evidence: Evidence }>;
  readonly accept: Respond<Api, DisputeRequest>;
};

/** Makes the responses to disputes of a connector. Each response opens calls of its own. */
export const disputesBy =
  <Api>({ submitEvidence, accept }: RespondersBy<Api>) =>
  (open: (context: CallContext) => Api): DisputeResponses => ({
    submitEvidence: (context, request) => submitEvidence(open(context), request),
    accept: (context, request) => accept(open(context), request),
  });
