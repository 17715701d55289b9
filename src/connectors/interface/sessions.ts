import type { Money } from '../../kernel/money.ts';
import type { IntegrationClient } from './requests.ts';
import type { CallContext } from './call-context.ts';
import type { UnknownCause } from './outcome.ts';

/**
 * A request to open a session for a payment that waits for the buyer's client.
 *
 * - `key` is our key of the authorisation.
 * - `reference` is the provider's id of the authorisation.
 */
export type SessionRequest = {
  readonly key: string;
  readonly reference: string;
  readonly money: Money;
  /** True if the completion captures at once. */
  readonly capture: boolean;
  readonly client: IntegrationClient;
};

/** Data for the provider's software in the buyer's client. No field is secret. */
export type SessionData = {
  /** The provider's own id of the order that the buyer approves. */
  readonly orderId: string;
  /** Ids of the provider's client application and of the merchant that is paid. */
  readonly clientId: string;
  readonly merchantId: string;
  readonly currency: string;
  readonly intent: 'authorize' | 'capture';
  /** For example `venmo`. */
  readonly fundingSource: string;
};

/**
 * A provider's answer to the request for a session. With `atProvider`, the buyer approves in the provider's software, and the
 * provider alone knows of the approval. Without it, the buyer approves on our own page, as in the sandbox.
 */
export type OpenedSession =
  | { readonly kind: 'opened'; readonly data: SessionData; readonly atProvider?: true }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };

/**
 * The calls of a provider whose buyers approve in the merchant's own app or page. The connector's `resume` carries out
 * the approved payment.
 */
export type Sessions = {
  /** Opens a session. Moves no money. A second call returns the same answer. */
  open(context: CallContext, request: SessionRequest): Promise<OpenedSession>;
};
