import { listedCode } from './decline-codes.ts';
import { refuse, type Result } from '../kernel/result.ts';
import { isUuid } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import type { Credentials } from './call-context.ts';
import type { Connector } from './connector.ts';
import { cleanKnown, cleanText, storableOrNull } from './words.ts';
import { isBookable, storableKey, withoutCardNumbers } from './notice-words.ts';
import { isDisputeNotice } from './disputes.ts';
import { isUsableDispute, tidyDispute } from './read-dispute.ts';
import { isUsableStoredMethod, tidyStoredMethod } from './read-stored-method.ts';
import { cleanSchemeCodes, refusedBy } from './scheme-codes.ts';
import { isStoredMethodNotice } from './stored-methods.ts';
import type { Notice, NoticeOutcome, WebhookNotice, WebhookRefusal, WebhookRequest } from './webhook.ts';

/**
 * Reads a provider's webhook. All webhooks of providers go through this function. Never throws.
 *
 * The returned notices can be stored and shown:
 *
 * - Words hold no secret of the service, no possible card number and no control character.
 * - The scheme's codes have their form, and decide a refusal as in an answer.
 * - References are unchanged, or absent if they cannot be stored.
 *
 * Each notice is judged alone. A webhook is `unreadable` if the connector throws, or if the webhook holds more notices than
 * `NOTICES_MAX`. A webhook without any usable notice is `unreadable` too. A notice is not usable in these cases:
 *
 * - A notice has no id left by which to find its operation.
 * - A notice reverses another verb than a capture or refund, or other money than a positive amount.
 * - A notice lets another verb than an authorisation expire.
 * - A notice about a stored payment method lacks its token.
 * - A notice about a dispute lacks the dispute's id, or disputes other money than a positive amount.
 */
export function readWebhook(
  connector: Connector,
  request: WebhookRequest,
  log: Log,
): Result<readonly WebhookNotice[], WebhookRefusal> {
  try {
    const read = connector.webhooks?.verifyAndRead(request) ?? refuse('unreadable' as const);
    if (!read.ok) return read;
    const secrets = secretFieldsOf(connector, request.credentials);
    const notices = read.value.map((notice) => tidyAny(notice, secrets));
    const usable = notices.filter(isUsable);
    if (notices.length > NOTICES_MAX || (usable.length === 0 && notices.length > 0))
      return refuse('unreadable');
    if (usable.length < notices.length)
      log.warn(
        { connector: connector.id, ignored: notices.length - usable.length },
        'Parts of a webhook were ignored, because nothing can be booked by them.',
      );
    return { ok: true, value: usable };
  } catch (error) {
    // The message may hold data that was sent, so only the error's name is logged.
    const name = error instanceof Error ? error.name : typeof error;
    log.error(
      { connector: connector.id, error: name },
      'The connector threw an exception while reading a webhook.',
    );
    return refuse('unreadable');
  }
}

/** Lists the secrets among the credentials of a connector. */
export const secretFieldsOf = (
  { definitions }: Pick<Connector, 'definitions'>,
  credentials: Credentials,
): readonly string[] =>
  definitions
    .flatMap(({ fields }) => fields)
    .flatMap(({ key, secret }) => (secret ? (credentials[key] ?? []) : []));

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
  const isRelease = verb === 'cancel' || verb === 'void';
  return {
    ...notice,
    eventKey: storableKey(eventKey),
    reference: storableOrNull(reference),
    paymentReference: storableOrNull(paymentReference),
    ...(captureReference != null && { captureReference: storableOrNull(captureReference) }),
    // Only a release may be told by the authorisation that it ends.
    ...(authorizationKey != null && {
      authorizationKey: isRelease && isUuid(authorizationKey) ? authorizationKey : null,
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
