import { createHash } from 'node:crypto';
import { refuse, type Result } from '../kernel/result.ts';
import type { Log } from '../platform/log.ts';
import type { Connector } from './connector.ts';
import { isStorable, cleanKnown, cleanText } from './words.ts';
import type { Notice, NoticeOutcome, WebhookRefusal, WebhookRequest } from './webhook.ts';

/**
 * Reads a provider's webhook. All webhooks of providers go through this function. Never throws.
 *
 * The returned notices can be stored and shown:
 *
 * - Words hold no secret of the service, no possible card number and no control character.
 * - References are unchanged, or absent if they cannot be stored.
 *
 * A webhook is `unreadable` in these cases:
 *
 * - The connector throws.
 * - A notice has no id left by which to find its operation.
 * - The request holds more notices than `NOTICES_MAX`.
 */
export function readWebhook(
  connector: Connector,
  request: WebhookRequest,
  log: Log,
): Result<readonly Notice[], WebhookRefusal> {
  try {
    const read = connector.webhooks?.verifyAndRead(request) ?? refuse('unreadable' as const);
    if (!read.ok) return read;
    const secrets = connector.definitions
      .flatMap(({ fields }) => fields)
      .flatMap(({ key, secret }) => (secret ? (request.credentials[key] ?? []) : []));
    const notices = read.value.map((notice) => tidy(notice, secrets));
    if (notices.length > NOTICES_MAX || !notices.every(canBeFound)) return refuse('unreadable');
    return { ok: true, value: notices };
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

/** Batches of providers hold some tens of notices. */
const NOTICES_MAX = 100;

const canBeFound = ({ key, reference, paymentReference }: Notice): boolean =>
  (key ?? reference ?? paymentReference) !== null;

function tidy(notice: Notice, secrets: readonly string[]): Notice {
  const { eventKey, reference, paymentReference, outcome } = notice;
  return {
    ...notice,
    eventKey:
      isStorable(eventKey) && withoutCardNumbers(eventKey) === eventKey ? eventKey : digestOf(eventKey),
    reference: reference !== null && isStorable(reference) ? reference : null,
    paymentReference: paymentReference !== null && isStorable(paymentReference) ? paymentReference : null,
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
  if (outcome.kind === 'declined' || outcome.kind === 'failed')
    return { ...outcome, ...words, errorCode: clean(outcome.errorCode) };
  return outcome.kind === 'succeeded' || outcome.kind === 'token_created'
    ? { ...outcome, ...words, ...cleanKnown(outcome) }
    : { ...outcome, ...words };
}

/** Removes every possible card number. The card of a webhook is not known here, so the Luhn check decides. */
export const withoutCardNumbers = (text: string): string =>
  text.replace(/(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g, (digits) =>
    passesLuhn(digits.replace(/\D/g, '')) ? '…' : digits,
  );

function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .reverse()
    .reduce((total, digit, index) => total + (index % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0);
  return sum % 10 === 0;
}

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('base64url')}`;
