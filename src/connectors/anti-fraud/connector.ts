import type { Money } from '../../kernel/money.ts';
import type { Result } from '../../kernel/result.ts';
import type { CallContext, Credentials } from '../call-context.ts';
import type { DefinitionField } from '../definition.ts';
import type { UnknownCause } from '../outcome.ts';
import type { WebhookRefusal, WebhookRequest } from '../webhook.ts';

/** One kind of anti-fraud service that a connector can be configured as; the catalogue shows it. */
export type AntiFraudDefinition = {
  readonly id: string;
  readonly displayName: string;
  readonly fields: readonly DefinitionField[];
  /** The version of the third party's interface that a service speaks unless it is switched over. */
  readonly interfaceVersion: string;
  /** The one that a service speaks when it is switched over; null: there is none. */
  readonly newerInterfaceVersion: string | null;
  readonly sandboxOnly: boolean;
};

/** What a third party can say of a payment. `exception`: its own rules came to no end. */
export const ANTI_FRAUD_DECISIONS = ['accept', 'reject', 'review', 'error', 'exception', 'skipped'] as const;
export type AntiFraudDecision = (typeof ANTI_FRAUD_DECISIONS)[number];

/** What every check carries. */
export type CheckContext = Pick<CallContext, 'credentials' | 'http' | 'deadlineMs'> & {
  readonly definition: AntiFraudDefinition;
  /** The version of the third party's interface to speak: one of the definition's. */
  readonly interfaceVersion: string;
};

/**
 * A payment to judge. `key` is the transaction's id: a transaction is one check, on every attempt. Of a card there is never
 * the number.
 */
export type CheckRequest = {
  readonly key: string;
  readonly money: Money;
  readonly buyer: CheckedBuyer | null;
  /** Null: the buyer pays with something else. */
  readonly card: CheckedCard | null;
  /** The id of the session in which the third party took the fingerprint of the buyer's device. */
  readonly deviceFingerprint: string | null;
};

/** The parts of a payment's buyer that are judged. */
export type CheckedBuyer = {
  readonly displayName: string | null;
  readonly externalIdentifier: string | null;
  readonly billingDetails: {
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly emailAddress: string | null;
    readonly phoneNumber: string | null;
    readonly address: {
      readonly city: string | null;
      readonly country: string | null;
      readonly postalCode: string | null;
    } | null;
  } | null;
};

/** `bin` the first six to eight digits of the number, `fingerprint` its keyed digest. */
export type CheckedCard = {
  readonly bin: string;
  readonly lastFour: string;
  readonly fingerprint: string | null;
};

/**
 * What a third party answered. Only what it has promised to say is `decided`; a timeout, a 5xx or an unknown word is
 * `unknown`.
 */
export type CheckAnswer =
  | {
      readonly kind: 'decided';
      readonly decision: AntiFraudDecision;
      /** Its own id of the check; null when it gave none. */
      readonly reference: string | null;
      readonly rawResponseCode: string | null;
      readonly rawResponseDescription: string | null;
    }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };

/** What a third party tells later of a check that it wanted to have reviewed. */
export type ReviewNotice = {
  /** The third party's id of its event, or a digest of what it says: the same for a repeat. */
  readonly eventKey: string;
  /** The version of its interface that it spoke. */
  readonly interfaceVersion: string;
  /** Our key of the check, as the third party echoes it: a UUID. */
  readonly key: string | null;
  /** Its own id of the check. One of the two is there. */
  readonly reference: string | null;
  readonly decision: Extract<AntiFraudDecision, 'accept' | 'reject'>;
  /** What the reviewer wrote. */
  readonly comment: string | null;
  /** By the third party's clock; null when it does not say. */
  readonly occurredAt: Date | null;
};

/** A webhook of a third party as it came. */
export type ReviewRequest = Omit<WebhookRequest, 'definition'> & {
  readonly definition: AntiFraudDefinition;
  readonly credentials: Credentials;
};

/**
 * A third party that judges payments. Stateless: credentials are an argument. `check` may throw: the caller makes that
 * `error`. `readWebhook` is pure, and reads every version, because a check may have been made before its service was
 * switched over; of what is about no review it answers no notice.
 */
export interface AntiFraudConnector {
  readonly id: string;
  readonly definitions: readonly AntiFraudDefinition[];
  check(context: CheckContext, request: CheckRequest): Promise<CheckAnswer>;
  readWebhook(request: ReviewRequest): Result<readonly ReviewNotice[], WebhookRefusal>;
}
