import type { DeclineCode } from './decline-codes.ts';
import type { Outcome } from '../interface/outcome.ts';

/** A request that a connector does not send, because its provider cannot carry the request out. */
export type Impossible = {
  readonly errorCode: DeclineCode;
  /** Says what the provider cannot do, and what to do in its place. Names no value of the request. */
  readonly sentence: string;
};

/** Returns the outcome of an impossible request. The same on every attempt. */
export const refusedBefore = ({
  errorCode,
  sentence,
}: Impossible): Extract<Outcome, { readonly kind: 'failed' }> => ({
  ...{ kind: 'failed', reference: null, errorCode },
  ...{ rawResponseCode: null, rawResponseDescription: sentence },
});
