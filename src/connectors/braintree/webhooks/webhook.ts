import {
  ok,
  refuse,
  type Credentials,
  type LookUpNotice,
  type Result,
  type UnreadReason,
  type VerifiedWebhook,
  type WebhookRefusal,
  type WebhookRequest,
  type Webhooks,
} from '../../door.ts';
import { digestOf, formIn, isGenuine } from './signature.ts';

/**
 * Braintree's webhooks: a form with a signature over XML in base64. The XML shows a transaction in the words of another API, so it only
 * names the payment for a look-up.
 */
export const braintreeWebhooks: Webhooks = { verify, read, challenge };

function verify({ rawBody, credentials }: WebhookRequest): Result<VerifiedWebhook, WebhookRefusal> {
  const form = formIn(rawBody);
  if (!form || !PAYLOAD.test(form.payload) || CHALLENGE.test(form.payload.trimEnd()))
    return refuse('bad_signature');
  if (!isGenuine(form, credentials)) return refuse('bad_signature');
  const xml = Buffer.from(form.payload, 'base64').toString('utf8');
  return ok({ parts: [xml], unsigned: 0, isSigned: true });
}

/** The characters of a payload: base64 in lines. */
const PAYLOAD = /^[A-Za-z0-9+/=\n]*$/;

/** A text that anybody may have signed by the proof of an address. So it is no payload. */
const CHALLENGE = /^[0-9a-f]{20,32}$/;

/** Answers the proof of an address, by which Braintree registers a webhook. Signs nothing but a challenge. */
function challenge(
  { bt_challenge: given = '' }: Readonly<Record<string, string>>,
  { public_key: publicKey = '', private_key: privateKey = '' }: Credentials,
): string | null {
  if (!CHALLENGE.test(given) || privateKey === '') return null;
  return `${publicKey}|${digestOf(given, privateKey).toString('hex')}`;
}

/** The kinds that may tell something new about a payment, by the element with the id of its transaction. */
const KINDS: Readonly<Record<string, RegExp | undefined>> = {
  transaction_settled: /<transaction>\s*<id>(\w{1,50})<\/id>/,
  transaction_settlement_declined: /<transaction>\s*<id>(\w{1,50})<\/id>/,
  transaction_retried: /<transaction>\s*<id>(\w{1,50})<\/id>/,
  transaction_reviewed: /<transaction-id>(\w{1,50})<\/transaction-id>/,
  refund_failed: /<refunded-transaction-id>(\w{1,50})<\/refunded-transaction-id>/,
};

/** A dispute has its transaction inside. */
const OF_DISPUTE = /<transaction>\s*<id>(\w{1,50})<\/id>/;

/** The kinds about money of payments. A new one may tell what nobody reads here. */
const MAY_CONCERN = /^(transaction|refund|dispute)_/;

/** The kinds about payments that tell nothing new: the money of a settled payment is paid out. */
const OF_NO_CONCERN: ReadonlySet<string> = new Set(['transaction_disbursed']);

function read(xml: string): Result<readonly LookUpNotice[], UnreadReason> {
  const [, kind] = /<notification>[\s\S]{0,1000}?<kind>([a-z_]{1,100})<\/kind>/.exec(xml) ?? [];
  if (kind === undefined) return refuse('unreadable_body');
  if (!MAY_CONCERN.test(kind) || OF_NO_CONCERN.has(kind)) return ok([]);
  const place = kind.startsWith('dispute_') ? OF_DISPUTE : KINDS[kind];
  if (!place) return refuse('unknown_kind');
  const [, id] = place.exec(xml) ?? [];
  return id === undefined ? refuse('unreadable_item') : ok([{ kind: 'look_up', reference: referenceOf(id) }]);
}

/** Returns the id of a transaction in GraphQL by its id in webhooks. */
export const referenceOf = (legacyId: string): string =>
  Buffer.from(`transaction_${legacyId}`).toString('base64').replaceAll('=', '');
