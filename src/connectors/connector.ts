import type { GiftCards } from './gift-cards.ts';
import type { Revocation, RevocationRequest } from './mandates.ts';
import type { Sessions } from './sessions.ts';
import type { Webhooks } from './webhook.ts';
import type { Outcome } from './outcome.ts';
import type { Definition } from './definition.ts';
import type { CallContext } from './call-context.ts';
import type {
  AuthorizeRequest,
  CancelRequest,
  CaptureRequest,
  FollowUpRequest,
  LookupRequest,
} from './requests.ts';

/** How a provider lets an operation of unknown outcome be resolved. Times are milliseconds since it was last sent. */
export type Recovery =
  /** Sent again under the same key it is not done twice, for as long as the provider remembers keys. */
  | { readonly kind: 'keys'; readonly windowMs: number }
  /** Found by our reference. What it does not know after the quiescence will not arrive any more and is sent again. */
  | { readonly kind: 'lookup'; readonly quiescenceMs: number }
  /** Neither: the reservation is held until a webhook or a person decides. */
  | { readonly kind: 'none' };

/**
 * A payment provider. Stateless: credentials are an argument, and it imports only the kernel and the http client.
 * What a definition's features do not have is refused before the call. A verb may throw: the caller makes that `unknown`.
 */
export interface Connector {
  readonly id: string;
  readonly definitions: readonly Definition[];
  readonly recovery: Recovery;
  /** Left out: the provider tells nothing by itself. */
  readonly webhooks?: Webhooks;
  /** Left out: none of its definitions is of the method `gift-card`. */
  readonly giftCards?: GiftCards;
  /** Left out: its buyers approve at its own page, never in a client of the merchant's. */
  readonly sessions?: Sessions;
  authorize(context: CallContext, request: AuthorizeRequest): Promise<Outcome>;
  capture(context: CallContext, request: CaptureRequest): Promise<Outcome>;
  refund(context: CallContext, request: FollowUpRequest): Promise<Outcome>;
  void(context: CallContext, request: FollowUpRequest): Promise<Outcome>;
  cancel(context: CallContext, request: CancelRequest): Promise<Outcome>;
  /** What became of an operation; null when the provider does not know it (which alone proves nothing). */
  lookup(context: CallContext, request: LookupRequest): Promise<Outcome | null>;
  /** Left out: buyers give no mandates to it. Revoking twice, with the same key or another one, is revoking once. */
  revokeMandate?(context: CallContext, request: RevocationRequest): Promise<Revocation>;
}
