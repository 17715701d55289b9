import type { ApprovalState } from '../../../connectors/interface/requests.ts';
import type { Candidate, ConnectionRow, Standing } from '../../payment-services/index.ts';
import type { Ruling } from '../../routing/index.ts';
import type { MeansWithTerms } from '../instrument/sealed-means.ts';
import type { Terms } from '../instrument/terms.ts';
import type { Operated } from '../model/operation.ts';
import type { FinalOutcome } from '../model/outcome.ts';

/** A committed pending operation with its payment service. The claim's owner calls the provider until the lease ends. */
export type Claim = Operated & {
  readonly connection: ConnectionRow;
  /** The key at the provider of the authorisation that a cancel ends. Null for other kinds. */
  readonly authorizationKey: string | null;
};

/** The claim of an authorisation, with the means to pay and the terms of the service. */
export type AuthorizationClaim = Claim &
  MeansWithTerms & {
    /** The services to try after a refusal. Empty for an operation that recovery took over. */
    readonly alternatives: readonly Alternative[];
    /** The rules that order the alternatives at each attempt. Null: they are in the order of positions. */
    readonly ruling: Ruling | null;
    /** The circuit of the service as the payment found it, and the payment's trial of the service. */
    readonly standing: Standing;
  };

/** A service to try after a refusal, with the ends of the buyer's time there. */
export type Alternative = Candidate & {
  /** The end of the time to approve. Null when the service waits for no approval. */
  readonly approvalExpiresAt: Date | null;
  /** The end of the time to pass a challenge. */
  readonly challengeExpiresAt: Date;
  readonly terms: Terms;
};

/** The claim of an operation whose first owner is gone, released it, or left the outcome unknown. */
export type TakenOverClaim = Claim & {
  /** The buyer's decision on our page. Null when the page asked nothing. */
  readonly approval: ApprovalState | 'returned' | null;
  /** True when the buyer came back, or the buyer's client completed the payment. The provider must continue it. */
  readonly resumes: boolean;
};

/**
 * The next step of an authorisation.
 *
 * - `ready`: the payment's next check, or the provider, may follow.
 * - `refused`: a check refused the authorisation at this service. Another service may still accept it.
 * - `ended`: nothing follows now. The payment has ended, or waits.
 */
export type Preparation =
  | { readonly kind: 'ready'; readonly claim: AuthorizationClaim }
  | { readonly kind: 'refused'; readonly claim: AuthorizationClaim; readonly refusal: FinalOutcome }
  | { readonly kind: 'ended'; readonly operated: Operated };
