import type { Outcome } from '../../../connectors/interface/outcome.ts';

/** An outcome that ends an operation. */
export type FinalOutcome = Extract<Outcome, { readonly kind: 'succeeded' | 'declined' | 'failed' }>;

/** The provider took the operation on, and decides later. */
export type AcceptedOutcome = Extract<Outcome, { readonly kind: 'accepted' }>;
