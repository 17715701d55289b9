import type { Money } from '../kernel/money.ts';
import type { Result } from '../kernel/result.ts';
import type { Verb } from './requests.ts';
import type { Credentials } from './call-context.ts';
import type { Definition } from './definition.ts';
import type { ProviderWords, Known } from './outcome.ts';

/**
 * How a provider tells by itself what became of an operation. Pure: the same request is always read the same. Of what
 * it does not know how to read it says so, and of what is not about an operation it answers no notice.
 */
export type Webhooks = {
  verifyAndRead(request: WebhookRequest): Result<readonly Notice[], WebhookRefusal>;
};

/** A webhook as it came. */
export type WebhookRequest = {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** What a signature is over: the bytes, not what they mean. */
  readonly rawBody: Buffer;
  readonly credentials: Credentials;
  readonly definition: Definition;
  readonly environment: 'production' | 'sandbox';
  /** For a signature that is good for some minutes. */
  readonly now: Date;
};

export type WebhookRefusal = 'bad_signature' | 'unreadable';

/** One thing that a provider tells of an operation. At least one of key, reference and paymentReference is there. */
export type Notice = {
  /** The provider's id of its event, or a digest of what it says: the same for a repeat. */
  readonly eventKey: string;
  /** By the provider's clock; null when it does not say. */
  readonly occurredAt: Date | null;
  /** `capture` also of a sale, which captures by itself. */
  readonly verb: Verb;
  /** Our id of the operation, as the provider echoes it: a UUID. */
  readonly key: string | null;
  /** The provider's id of the operation itself. */
  readonly reference: string | null;
  /** The provider's id of the payment that the operation belongs to. */
  readonly paymentReference: string | null;
  readonly outcome: NoticeOutcome;
};

/** As a connector's Outcome, but for what a notice need not say. `money` null: what was asked. */
export type NoticeOutcome =
  | ({ readonly kind: 'succeeded'; readonly money: Money | null } & NoticeWords & Known)
  | ({ readonly kind: 'accepted' } & NoticeWords)
  /** Only that a stored payment method has a token now; of the payment itself nothing. */
  | ({ readonly kind: 'token_created' } & NoticeWords & Pick<Known, 'recurringToken'>)
  | ({ readonly kind: 'declined' | 'failed'; readonly errorCode: string } & NoticeWords);

type NoticeWords = Pick<ProviderWords, 'rawResponseCode' | 'rawResponseDescription'>;
