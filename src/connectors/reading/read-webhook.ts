import { listedCode } from '../codes/decline-codes.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { Credentials } from '../interface/call-context.ts';
import type { Connector } from '../interface/connector.ts';
import type { Definition } from '../interface/definition.ts';
import { cleanKnown, cleanText, isStorable, storableOrNull } from './words.ts';
import { isBookable, storableKey, withoutCardNumbers } from './notice-words.ts';
import { isDisputeNotice, type DisputeNotice } from '../notices/disputes.ts';
import { isUsableDispute, tidyDispute } from './read-dispute.ts';
import { isUsableStoredMethod, tidyStoredMethod } from './read-stored-method.ts';
import { isLookUpNotice, type LookUpNotice } from '../notices/look-ups.ts';
import { cleanSchemeCodes, refusedBy } from '../codes/scheme-codes.ts';
import { isStoredMethodNotice } from '../notices/stored-methods.ts';
import type {
  Notice,
  NoticeOutcome,
  PartReceiver,
  UnreadReason,
  VerifiedWebhook,
  WebhookNotice,
  WebhookRefusal,
  WebhookRequest,
} from '../notices/webhook.ts';

/** The content of a webhook: the notices, and the parts that were not read. */
export type WebhookReading = {
  readonly notices: readonly WebhookNotice[];
  /** The provider's ids of the payments to look up, each once. */
  readonly lookUps: readonly string[];
  /** The signed parts that were not read, or not wholly. */
  readonly unread: readonly UnreadPart[];
  /** The number of ignored unsigned items that may concern a payment. */
  readonly unsigned: number;
};

/** A signed part that was not read, or not wholly. */
export type UnreadPart = { readonly part: string; readonly reason: UnreadReason };

/**
 * Checks and reads a provider's webhook. All webhooks of providers go through this function. Never throws.
 *
 * Each signed part is judged alone by `readPart`. A webhook is refused as `unreadable` if the check of its signature throws. A
 * webhook that a service accepts unsigned is refused as `unreadable` if no part of it was read.
 */
export function readWebhook(
  connector: Connector,
  request: WebhookRequest,
  log: Log,
): Result<WebhookReading, WebhookRefusal> {
  const verified = verify(connector, request, log);
  if (!verified.ok) return verified;
  const { parts, unsigned, isSigned } = verified.value;
  const read = parts.map((part) => ({ part, ...readPart(connector, part, request, log) }));
  const notices = read.flatMap((each) => each.notices);
  const lookUps = [...new Set(read.flatMap((each) => each.lookUps))];
  const unread = read.flatMap(({ part, reason }) => (reason === null ? [] : [{ part, reason }]));
  if (isSigned || unread.length === 0) return ok({ notices, lookUps, unread, unsigned });
  return notices.length + lookUps.length === 0
    ? refuse('unreadable')
    : ok({ notices, lookUps, unread: [], unsigned: unsigned + unread.length });
}

function verify(
  connector: Connector,
  request: WebhookRequest,
  log: Log,
): Result<VerifiedWebhook, WebhookRefusal> {
  try {
    return connector.webhooks?.verify(request) ?? refuse('unreadable');
  } catch (error) {
    tellThrown(connector, error, log);
    return refuse('unreadable');
  }
}

/** The content of one part. `reason` is null if the whole part was read. */
export type PartReading = {
  readonly notices: readonly WebhookNotice[];
  /** The provider's ids of the payments to look up. */
  readonly lookUps: readonly string[];
  readonly reason: UnreadReason | null;
};

/**
 * Reads one signed part of a webhook, when it arrives or later. Never throws.
 *
 * The returned notices can be stored and shown:
 *
 * - Words hold no secret of the service, no possible card number and no control character.
 * - The scheme's codes have their form, and decide a refusal as in an answer.
 * - References are unchanged, or absent if they cannot be stored.
 *
 * Each notice is judged alone. A notice is not usable in these cases, and the part then has the reason `unusable_notice`:
 *
 * - A notice has no id left by which to find its operation.
 * - A notice reverses another verb than a capture or refund, or other money than a positive amount.
 * - A notice lets another verb than an authorisation expire.
 * - A notice about a stored payment method lacks its token.
 * - A notice about a dispute lacks the dispute's id, or disputes other money than a positive amount.
 * - A notice to look a payment up names none.
 */
export function readPart(connector: Connector, part: string, receiver: PartReceiver, log: Log): PartReading {
  try {
    const read = connector.webhooks?.read(part, receiver) ?? refuse('unreadable_body');
    if (!read.ok) return unread(read.refusals[0]);
    if (read.value.length > NOTICES_MAX) return unread('too_many_notices');
    const secrets = secretFieldsOf(connector, receiver.credentials);
    const told = read.value.flatMap((notice) => (isLookUpNotice(notice) ? [] : [notice]));
    const notices = told.map((notice) => tidyAny(notice, secrets)).filter(isUsable);
    const lookUps = read.value.filter(isLookUpNotice).flatMap(nameOf);
    const isWhole = notices.length + lookUps.length === read.value.length;
    return { notices, lookUps, reason: isWhole ? null : 'unusable_notice' };
  } catch (error) {
    tellThrown(connector, error, log);
    return unread('reader_failed');
  }
}

/** Returns the payment of a notice. An id that cannot be stored names none of our payments. */
const nameOf = ({ reference }: LookUpNotice): readonly string[] =>
  reference !== '' && isStorable(reference) ? [reference] : [];

const unread = (reason: UnreadReason): PartReading => ({ notices: [], lookUps: [], reason });

/** Logs an exception. Its message may hold data that was sent, so only its name is logged. */
function tellThrown({ id }: Connector, error: unknown, log: Log): void {
  const name = error instanceof Error ? error.name : typeof error;
  log.error({ connector: id, error: name }, 'The connector threw an exception while reading a webhook.');
}

/** Lists the secrets among the credentials of a connector. */
export const secretFieldsOf = (
  { definitions }: { readonly definitions: readonly Pick<Definition, 'fields'>[] },
  credentials: Credentials,
): readonly string[] =>
  definitions
    .flatMap(({ fields }) => fields)
    .flatMap(({ key, secret }) => (secret ? (credentials[key] ?? []) : []));

/** Cleans a notice about a dispute that a look-up told, under the rules of `readWebhook`. Null for one that cannot be used. */
export function tidyDisputeNotice(notice: DisputeNotice, secrets: readonly string[]): DisputeNotice | null {
  const tidied = tidyDispute(notice, secrets);
  return isUsableDispute(tidied) ? tidied : null;
}

/** Cleans a notice that a look-up told, under the rules of `readWebhook`. Null for a notice that cannot be used. */
export function tidyNotice(notice: Notice, secrets: readonly string[]): Notice | null {
  const tidied = tidy(notice, secrets);
  return isUsable(tidied) ? tidied : null;
}

/** Batches of providers hold some tens of notices. */
const NOTICES_MAX = 100;

function tidyAny(notice: WebhookNotice, secrets: readonly string[]): WebhookNotice {
  if (isDisputeNotice(notice)) return tidyDispute(notice, secrets);
  return isStoredMethodNotice(notice) ? tidyStoredMethod(notice) : tidy(notice, secrets);
}

function isUsable(notice: WebhookNotice): boolean {
  if (isDisputeNotice(notice)) return isUsableDispute(notice);
  return isStoredMethodNotice(notice)
    ? isUsableStoredMethod(notice)
    : canBeFound(notice) && isPossible(notice);
}

const canBeFound = ({ authorizationKey, captureReference, ...notice }: Notice): boolean =>
  (notice.key ??
    notice.reference ??
    notice.paymentReference ??
    authorizationKey ??
    captureReference ??
    null) !== null;

/** True when the verb can have the outcome. Only money that moved can be reversed. */
function isPossible({ verb, outcome }: Notice): boolean {
  if (outcome.kind === 'expired') return verb === 'authorize';
  if (outcome.kind !== 'reversed') return true;
  return (verb === 'capture' || verb === 'refund') && (outcome.money === null || isBookable(outcome.money));
}

function tidy(notice: Notice, secrets: readonly string[]): Notice {
  const { eventKey, verb, reference, paymentReference, authorizationKey, captureReference, outcome } = notice;
  return {
    ...notice,
    eventKey: storableKey(eventKey),
    reference: storableOrNull(reference),
    paymentReference: storableOrNull(paymentReference),
    ...(captureReference != null && { captureReference: storableOrNull(captureReference) }),
    // An authorisation has a key of its own.
    ...(authorizationKey != null && {
      authorizationKey: verb !== 'authorize' && isUuid(authorizationKey) ? authorizationKey : null,
    }),
    outcome: tidyOutcome(outcome, secrets),
  };
}

function tidyOutcome(outcome: NoticeOutcome, credentials: readonly string[]): NoticeOutcome {
  const token = 'recurringToken' in outcome ? outcome.recurringToken : null;
  const hidden = token == null ? credentials : [...credentials, token];
  const given = { cardNumber: null, securityCode: null, credentials: hidden };
  const clean = (text: string): string => withoutCardNumbers(cleanText(text, given));
  const words = {
    rawResponseCode: outcome.rawResponseCode === null ? null : clean(outcome.rawResponseCode),
    rawResponseDescription:
      outcome.rawResponseDescription === null ? null : clean(outcome.rawResponseDescription),
  };
  if (outcome.kind === 'reversed') return { ...tidyReversal(outcome), ...words };
  if (outcome.kind === 'declined' || outcome.kind === 'failed') {
    const codes = cleanSchemeCodes(outcome);
    return { ...outcome, ...words, ...codes, ...refusedBy(codes, outcome) };
  }
  return outcome.kind === 'succeeded' || outcome.kind === 'token_created'
    ? { ...outcome, ...words, ...cleanKnown(outcome) }
    : { ...outcome, ...words };
}

type Reversed = Extract<NoticeOutcome, { readonly kind: 'reversed' }>;

const tidyReversal = (outcome: Reversed): Reversed => ({
  ...outcome,
  errorCode: listedCode(outcome.errorCode, 'failed'),
  reversalReference: storableOrNull(outcome.reversalReference ?? null),
});
