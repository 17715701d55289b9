import type { InvalidInput, NotFound } from '../../kernel/refusal.ts';
import type { DisputeStatus } from './dispute.ts';

/** The dispute takes no response. The reason says why. */
export type DisputeNotRespondable = {
  readonly kind: 'DisputeNotRespondable';
  /**
   * - `status`: the provider waits for no response.
   * - `too_late`: the time to respond is over.
   * - `under_way`: the outcome of an earlier response to this stage is not known.
   * - `not_supported`: the payment service cannot respond so.
   */
  readonly reason: 'status' | 'too_late' | 'under_way' | 'not_supported';
  readonly status: DisputeStatus;
};

export type DisputeRefusal = InvalidInput | NotFound | DisputeNotRespondable;
