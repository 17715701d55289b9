import type { DeclineCode } from '../codes/decline-codes.ts';
import type { Money } from '../../kernel/money.ts';
import type { Result } from '../../kernel/result.ts';
import type { Verb } from '../interface/requests.ts';
import type { Credentials } from '../interface/call-context.ts';
import type { Definition } from '../interface/definition.ts';
import type { DisputeNotice } from './disputes.ts';
import type { LookUpNotice } from './look-ups.ts';
import type { ProviderWords, Known } from '../interface/outcome.ts';
import type { SchemeCodes } from '../codes/scheme-codes.ts';
import type { StoredMethodNotice } from './stored-methods.ts';

/**
 * The reader of a provider's webhooks, in two steps. Both are pure: the same request always gives the same result.
 *
 * The second step needs no signature and no clock. So a part that could not be read can be stored, and read again later.
 */
export type Webhooks = {
  /** Checks the signature, and returns the signed parts. A part is the body, or one item of a body whose items are signed alone. */
  verify(request: WebhookRequest): Result<VerifiedWebhook, WebhookRefusal>;
  /**
   * Reads one part. An event that concerns no operation, no dispute and no stored payment method gives no notice. An event that
   * may concern one, and that the reader does not understand, is refused. An event that only names a payment gives a notice to look
   * the payment up.
   */
  read(part: string, receiver: PartReceiver): Result<readonly (WebhookNotice | LookUpNotice)[], UnreadReason>;
  /**
   * Names the text that the check of this webhook needs, such as a certificate. Null if the check needs none. Absent if the
   * provider publishes no such text. The core fetches the text, keeps it for an hour, and hands it over as `material`.
   */
  material?(request: WebhookRequest): NamedMaterial | null;
  /**
   * Answers a GET by which the provider proves an address before its first webhook. Null for another request. Absent if the provider
   * demands no proof.
   *
   * - `query`: the parameters of the address, which anybody may have written
   */
  challenge?(query: Readonly<Record<string, string>>, credentials: Credentials): string | null;
  /** The webhooks of a provider that is simulated in this process. Absent for a provider elsewhere. Unused in production. */
  readonly later?: LaterReports;
};

/** The webhooks that a simulated provider makes by itself, some time after a success. */
export type LaterReports = {
  /** True if the credentials lead to the simulated provider. False if they name a provider elsewhere. */
  isSimulated(credentials: Credentials): boolean;
  /**
   * Lists the reports about a success that is written now, oldest first. Pure. The event keys follow from the success alone, so
   * a repeat has the same.
   */
  about(success: SimulatedSuccess, now: Date): readonly LaterReport[];
};

/** A report, with the time at which the provider sends the report. */
export type LaterReport = { readonly notice: WebhookNotice; readonly at: Date };

/** A success, as the simulated provider knows it. */
export type SimulatedSuccess = {
  readonly verb: Verb;
  /** Our key of the operation, and the provider's id of it. */
  readonly key: string;
  readonly reference: string;
  readonly money: Money;
  /** True if the operation took money: a capture, or the authorisation of a sale. */
  readonly captures: boolean;
  /** True if the operation asked for the provider's own name of the payment method. */
  readonly tokenizes: boolean;
};

/** A text to fetch before the check of a webhook. */
export type NamedMaterial = {
  /** The address, as the webhook names it. Anybody may have written it. */
  readonly url: string;
  /** The hosts that may have the text, with their ports. A host that begins with a dot stands for all hosts below it. */
  readonly hosts: readonly string[];
};

/** A webhook as received. */
export type WebhookRequest = {
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body. Signatures cover the bytes, not their meaning. */
  readonly rawBody: Buffer;
  readonly credentials: Credentials;
  readonly definition: Definition;
  readonly environment: 'production' | 'sandbox';
  /** Current time, for signatures that expire. */
  readonly now: Date;
  /** The fetched text that `material` named. Absent if it named none. */
  readonly material?: string;
};

/** The parts of a webhook after the check of the signature. */
export type VerifiedWebhook = {
  /** The signed parts, in their order. Each is a text that `read` understands. */
  readonly parts: readonly string[];
  /** The number of unsigned items that may concern a payment, beside signed items. They are ignored. */
  readonly unsigned: number;
  /** False if the service accepts webhooks without a signature. An unread part is then never stored. */
  readonly isSigned: boolean;
};

/** The payment service that a part is for. */
export type PartReceiver = Pick<WebhookRequest, 'credentials' | 'definition' | 'environment'>;

/** The reasons why a part of a webhook was not read, or not wholly. */
export const UNREAD_REASONS = [
  /** The body has another form than the provider's webhooks. */
  'unreadable_body',
  /** The event has a known kind, and another form. */
  'unreadable_item',
  /** The event may concern a payment, and no reader knows its kind. */
  'unknown_kind',
  /** The event was read, and nothing can be booked by one of its notices. */
  'unusable_notice',
  /** The part has more notices than a webhook may have. */
  'too_many_notices',
  /** The reader threw an exception. */
  'reader_failed',
] as const;

export type UnreadReason = (typeof UNREAD_REASONS)[number];

/** A webhook as received at an address of ours. The token in the address tells whose webhook it is. */
export type DeliveredWebhook = Pick<WebhookRequest, 'headers' | 'rawBody'> & { readonly token: string };

/**
 * The reason for which a webhook is refused.
 *
 * - `unreadable`: the body has no place for a signature, or the service accepts it unsigned and cannot read it.
 * - `untrusted_certificate`: the certificate fits the signature, and has no valid chain to a trusted authority. Such a refusal
 *   concerns every webhook, so an operator must act.
 */
export type WebhookRefusal = 'bad_signature' | 'untrusted_certificate' | 'unreadable';

/** One event of a provider. */
export type WebhookNotice = Notice | DisputeNotice | StoredMethodNotice;

/** True for a notice about an operation. Other notices are about a dispute or a stored payment method. */
export const isOperationNotice = (notice: WebhookNotice): notice is Notice => 'outcome' in notice;

/**
 * One event of a provider about an operation. At least one of `key`, `reference`, `paymentReference` and
 * `authorizationKey` is set.
 *
 * An operation without a provider's id takes `reference` over, also after its end.
 */
export type Notice = {
  /** The provider's id of its event, or a digest of the content. A repeated event has the same value. */
  readonly eventKey: string;
  /** Time by the provider's clock. Null if the event names no time. */
  readonly occurredAt: Date | null;
  /** The verb of the operation. A sale captures by itself and may be reported as `capture`. */
  readonly verb: Verb;
  /** Our key of the operation, a UUID that the provider echoes. */
  readonly key: string | null;
  /** The provider's id of the operation itself. */
  readonly reference: string | null;
  /** The provider's id of the payment that the operation belongs to. */
  readonly paymentReference: string | null;
  /**
   * Our key of the authorisation of the payment. A provider may name the authorisation alone. Absent and null: not named, as for
   * an authorisation itself.
   */
  readonly authorizationKey?: string | null;
  /**
   * The authorised amount that an increase asked for. A notice of another total is about another change. For a capture without
   * our key: everything captured of the payment so far, whoever captured. Absent: not named.
   */
  readonly total?: Money;
  /**
   * The amount of the payment, for a refund of the whole payment without an amount of its own. Such a refund is only booked if
   * exactly this amount is captured, and nothing is refunded. Absent: not told.
   */
  readonly whole?: Money;
  /** True if the provider says that nothing more can be captured. Absent: not told. */
  readonly final?: boolean;
  /** The provider's id of the capture that a refund belongs to. Absent and null: not named. */
  readonly captureReference?: string | null;
  readonly outcome: NoticeOutcome;
};

/**
 * The outcome that a notice reports, with fewer fields than `Outcome`. `money` is null for the requested
 * amount. The money of a reversal is at least 1, and null stands for everything not reversed yet.
 */
export type NoticeOutcome =
  | ({ readonly kind: 'succeeded'; readonly money: Money | null } & NoticeWords & Known)
  | ({
      readonly kind: 'accepted';
      /**
       * True if the buyer has approved on the provider's page, and the payment must be continued with `resume`. The core does so
       * once, whether or not the buyer comes back.
       */
      readonly approved?: boolean;
    } & NoticeWords)
  /** Reports only that a stored payment method has a token now. Says nothing about the payment. */
  | ({ readonly kind: 'token_created' } & NoticeWords & Pick<Known, 'recurringToken'>)
  | ({
      readonly kind: 'declined' | 'failed';
      readonly errorCode: DeclineCode;
      /**
       * True if the provider treats each repeat as the first request, also after a refusal. The refusal then holds although the
       * operation was sent again. Absent: a repeat may have another outcome.
       */
      readonly holdsForRepeats?: true;
    } & NoticeWords &
      SchemeCodes)
  /** A capture or refund that had succeeded has failed after all, wholly or in part. A sale reports its `capture`. */
  | ({
      readonly kind: 'reversed';
      readonly money: Money | null;
      readonly errorCode: DeclineCode;
      /** The provider's id of the reversal, which tells two equal partial reversals apart. */
      readonly reversalReference?: string | null;
    } & NoticeWords)
  /** An authorisation has expired. Nothing more of it can be captured. */
  | ({
      readonly kind: 'expired';
      /**
       * True if a renewal makes another authorisation, and the event does not tell which of the two has expired. The core
       * then asks the provider about a renewed payment.
       */
      readonly ofOne?: boolean;
    } & NoticeWords);

type NoticeWords = Pick<ProviderWords, 'rawResponseCode' | 'rawResponseDescription'>;
