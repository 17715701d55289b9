import type { Money } from '../kernel/money.ts';
import type { IntegrationClient } from './requests.ts';
import type { CallContext } from './call-context.ts';
import type { UnknownCause, Outcome } from './outcome.ts';

/** A payment that waits for the buyer's client: `key` and `reference` are those of its authorisation, ours and the provider's. */
export type SessionRequest = {
  readonly key: string;
  readonly reference: string;
  readonly money: Money;
  /** True: completing it captures at once. */
  readonly capture: boolean;
  readonly client: IntegrationClient;
};

/** What the provider's software in the buyer's client works with. None of it is a secret. */
export type SessionData = {
  /** The provider's own id of what the buyer approves. */
  readonly orderId: string;
  /** Whom the provider's software acts for, and who is paid. */
  readonly clientId: string;
  readonly merchantId: string;
  readonly currency: string;
  readonly intent: 'authorize' | 'capture';
  /** For example `venmo`. */
  readonly fundingSource: string;
};

/** What a provider said when it was asked for a session. */
export type OpenedSession =
  | { readonly kind: 'opened'; readonly data: SessionData }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };

export type CompletionRequest = Omit<SessionRequest, 'client'>;

/** What a provider does whose buyers approve in the merchant's own client, app or page, in the place of the provider's page. */
export type Sessions = {
  /** Moves nothing: asked again, it answers the same. */
  open(context: CallContext, request: SessionRequest): Promise<OpenedSession>;
  /**
   * Carries out what the buyer has approved; it is not asked before. Twice is once: after the end it answers what stands.
   */
  complete(context: CallContext, request: CompletionRequest): Promise<Outcome>;
};
