import type { AmountForms } from '../codes/amounts.ts';
import type { BooksRequest, FoundPayment, PaymentOfRequest, ProviderBooks } from '../notices/books.ts';
import type { DisputeResponses } from './dispute-responses.ts';
import type { GiftCards } from './gift-cards.ts';
import type { Revocation, RevocationRequest } from './mandates.ts';
import type { Sessions } from './sessions.ts';
import type { Settlements } from '../notices/settlements.ts';
import type { StoredMethodAnswer } from '../notices/stored-methods.ts';
import type { Webhooks } from '../notices/webhook.ts';
import type { Outcome, Unknown } from './outcome.ts';
import type { Definition } from './definition.ts';
import type { CallContext, Credentials } from './call-context.ts';
import type { GooglePayReceiver } from '../wallets/google-pay.ts';
import type { Verification } from './verification.ts';
import type {
  AuthorizeRequest,
  CancelRequest,
  CaptureRequest,
  ChangeVerb,
  FollowUpRequest,
  IncreaseRequest,
  LookupRequest,
  RefundRequest,
  ResumeRequest,
  Verb,
} from './requests.ts';

/**
 * How to resolve an operation whose outcome is unknown. Times are in milliseconds since the operation was last
 * sent.
 */
export type Recovery =
  /** Retried under the same key. The provider remembers keys for `windowMs` and does not act twice. */
  | { readonly kind: 'keys'; readonly windowMs: number }
  /**
   * Looked up by our reference. If the provider does not know the operation after `quiescenceMs`, the operation
   * is retried.
   */
  | { readonly kind: 'lookup'; readonly quiescenceMs: number }
  /** Not possible. The reservation stays until a webhook or a person decides. */
  | { readonly kind: 'none' };

/**
 * A payment provider.
 *
 * - Stateless: credentials are an argument. A connector imports only `paygraph/connector`.
 * - Features that the definition lacks are refused before the call.
 * - A verb may throw: the caller turns an exception into `unknown`.
 */
export interface Connector {
  readonly id: string;
  readonly definitions: readonly Definition[];
  /**
   * One way for every verb, or one for each. Gift cards take the way of `authorize` and `refund`. A change of an
   * authorisation without a way of its own takes the way of `capture`.
   */
  readonly recovery: Recovery | RecoveryByVerb;
  /**
   * True if each capture has an id of its own at the provider. Absent if all captures of a payment may have one id. Such an id
   * never proves that two captures are one.
   */
  readonly namesCaptures?: true;
  /**
   * The currencies in which the provider's amounts differ from ISO 4217. The shares of a capture and a refund are multiples of
   * the smallest amount that the provider can express. Absent without such currencies, and without the feature `splits`.
   */
  readonly amounts?: AmountForms;
  /** Absent if the provider sends no webhooks. */
  readonly webhooks?: Webhooks;
  /** Absent if no definition has the method `gift-card`. */
  readonly giftCards?: GiftCards;
  /** Absent if the provider takes no response to a dispute. */
  readonly disputes?: DisputeResponses;
  /** Absent if the provider reports no settlements. */
  readonly settlements?: Settlements;
  /** Absent if buyers approve only on the provider's own page. */
  readonly sessions?: Sessions;
  /**
   * Returns who receives a token of Google Pay for a payment service, by its fields that are not secret. Null if a field is
   * missing. Absent if no definition takes Google Pay on the page of a payment link.
   */
  googlePay?(fields: Credentials): GooglePayReceiver | null;
  authorize(context: CallContext, request: AuthorizeRequest): Promise<Outcome>;
  capture(context: CallContext, request: CaptureRequest): Promise<Outcome>;
  refund(context: CallContext, request: RefundRequest): Promise<Outcome>;
  void(context: CallContext, request: FollowUpRequest): Promise<Outcome>;
  /** Required with the feature `incremental_authorization`. The reference of the payment stays. */
  increase?(context: CallContext, request: IncreaseRequest): Promise<Outcome>;
  /**
   * Renews an authorisation that nears its end, for the same amount. Required with the feature `reauthorization`. The
   * reference of the payment stays.
   */
  reauthorize?(context: CallContext, request: FollowUpRequest): Promise<Outcome>;
  /**
   * Ends a payment before its authorisation, or releases one that was approved meanwhile.
   *
   * With `authorize` and `cancel` both looked up, an authorisation is not sent again during its cancel. So a repeat that finds no
   * payment returns `succeeded`. The repeat comes after the quiescence, when every request for the payment has arrived.
   */
  cancel(context: CallContext, request: CancelRequest): Promise<Outcome>;
  /**
   * Returns the outcome of an operation, or null if the provider does not know the operation. Null alone proves
   * nothing. Takes no money. May release held money, for a cancel and for a payment that is never paid.
   */
  lookup(context: CallContext, request: LookupRequest): Promise<Outcome | null>;
  /**
   * Reads a payment whole, with the operations that nobody requested here. Null if the provider does not know the payment.
   * Absent if the provider has no such call.
   */
  readBooks?(context: CallContext, request: BooksRequest): Promise<ProviderBooks | Unknown | null>;
  /**
   * Finds the payment of a capture. Null if the provider does not know the capture. Absent if every webhook of the provider
   * names the payment.
   */
  paymentOf?(context: CallContext, request: PaymentOfRequest): Promise<FoundPayment | Unknown | null>;
  /**
   * Continues an authorisation after the buyer's return. `accepted` with an `approvalUrl` means that the buyer has not
   * decided. The buyer may then come back once more. Required with `sessions`. If absent, a return leads to a look-up.
   */
  resume?(context: CallContext, request: ResumeRequest): Promise<Outcome>;
  /**
   * Ends an authorisation whose buyer did not come back in time, and returns its outcome. The key is that of the authorisation.
   *
   * - `failed` needs the provider's word that the payment has ended and holds nothing.
   * - A payment that went on meanwhile keeps its own outcome, and is not ended.
   * - A repeat sends the same request under the same key.
   *
   * If absent, a look-up with the approval `expired` tells the outcome.
   */
  abandon?(context: CallContext, request: FollowUpRequest): Promise<Outcome>;
  /**
   * Asks whether the provider accepts the credentials. Moves no money. Absent if the provider has no such call. Null if
   * these credentials have nothing to check.
   */
  verify?(context: CallContext): Promise<Verification | null>;
  /** Absent if the provider keeps no mandates. A second revocation, with any key, has no further effect. */
  revokeMandate?(context: CallContext, request: RevocationRequest): Promise<Revocation>;
  /** Tells the card behind a token of the provider. Required if a webhook reports a changed method without its card. */
  readStoredMethod?(context: CallContext, token: string): Promise<StoredMethodAnswer>;
}

export type RecoveryByVerb = Readonly<
  Record<Exclude<Verb, ChangeVerb>, Recovery> & Partial<Record<ChangeVerb, Recovery>>
>;

/** Returns how a connector resolves an operation of this verb. */
export const recoveryOf = ({ recovery }: Pick<Connector, 'recovery'>, verb: Verb): Recovery =>
  'kind' in recovery ? recovery : (recovery[verb] ?? recovery.capture);
