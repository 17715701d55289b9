import type { Result } from '../../kernel/result.ts';
import type { CallContext, Credentials } from '../interface/call-context.ts';
import type { DefinitionField, PackageName } from '../interface/definition.ts';
import type { UnknownCause } from '../interface/outcome.ts';
import type { WebhookRefusal, WebhookRequest } from '../notices/webhook.ts';
import type { CheckRequest } from './check-request.ts';
import type { ReportAnswer, ReportRequest } from './report.ts';

/** One kind of anti-fraud service that a connector offers. The catalogue lists all definitions. */
export type AntiFraudDefinition = {
  readonly id: string;
  readonly displayName: string;
  readonly fields: readonly DefinitionField[];
  /** The version of the third party's interface that a service uses unless switched to the newer version. */
  readonly interfaceVersion: string;
  /** The version that a service uses after the switch. Null if no newer version exists. */
  readonly newerInterfaceVersion: string | null;
  readonly sandboxOnly: boolean;
  /** As in `Definition`. */
  readonly package?: PackageName;
};

/** Possible decisions of a third party. `exception`: the third party's own rules did not finish. */
export const ANTI_FRAUD_DECISIONS = ['accept', 'reject', 'review', 'error', 'exception', 'skipped'] as const;
export type AntiFraudDecision = (typeof ANTI_FRAUD_DECISIONS)[number];

/** The context of every check and report. */
export type CheckContext = Pick<CallContext, 'credentials' | 'http' | 'deadlineMs'> & {
  readonly definition: AntiFraudDefinition;
  /** The version of the third party's interface to use, out of the definition's versions. */
  readonly interfaceVersion: string;
  /** The time of the call. */
  readonly now: Date;
};

/**
 * A third party's answer. Only a documented answer is `decided`. A timeout, a 5xx or an unexpected answer is
 * `unknown`.
 */
export type CheckAnswer =
  | {
      readonly kind: 'decided';
      readonly decision: AntiFraudDecision;
      /** The third party's own id of the check. Null if the answer holds no id. */
      readonly reference: string | null;
      readonly rawResponseCode: string | null;
      readonly rawResponseDescription: string | null;
    }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };

/** A later decision of a third party about a check that needed a review. */
export type ReviewNotice = {
  /** The third party's id of its event, or a digest of the content. A repeated event has the same value. */
  readonly eventKey: string;
  /** The version of the interface in which the third party reported the decision. */
  readonly interfaceVersion: string;
  /** Our key of the check, a UUID that the third party echoes. */
  readonly key: string | null;
  /** The third party's own id of the check. At least one of `key` and `reference` is set. */
  readonly reference: string | null;
  readonly decision: Extract<AntiFraudDecision, 'accept' | 'reject'>;
  /** The reviewer's comment. */
  readonly comment: string | null;
  /** Time by the third party's clock. Null if the event names no time. */
  readonly occurredAt: Date | null;
};

/** A webhook of a third party as received. */
export type ReviewRequest = Omit<WebhookRequest, 'definition'> & {
  readonly definition: AntiFraudDefinition;
  readonly credentials: Credentials;
};

/**
 * A third party that checks payments for fraud.
 *
 * - Stateless: credentials are an argument.
 * - `check` may throw: the caller turns an exception into `error`.
 * - `report` is absent if the third party wants no reports. It may throw, too.
 * - `readWebhook` is pure and returns no notice for an event that concerns no review.
 * - `readWebhook` reads every version, because a check may be older than the switch of its service.
 */
export interface AntiFraudConnector {
  readonly id: string;
  readonly definitions: readonly AntiFraudDefinition[];
  check(context: CheckContext, request: CheckRequest): Promise<CheckAnswer>;
  report?(context: CheckContext, request: ReportRequest): Promise<ReportAnswer>;
  readWebhook(request: ReviewRequest): Result<readonly ReviewNotice[], WebhookRefusal>;
}
