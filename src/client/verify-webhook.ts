import { createHmac, timingSafeEqual } from 'node:crypto';
import { PaygraphError } from './error.ts';
import type { PaygraphEvent, TestEvent } from './payload.ts';

/** A received webhook. */
export type WebhookRequest = {
  /** The request's headers, as `Headers` or as an object of node:http and its frameworks. Case does not matter. */
  readonly headers:
    | { get(name: string): string | null }
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The received body, byte for byte. A body that was parsed and serialised again has another signature. */
  readonly body: string | Uint8Array;
  /** The endpoint's secrets, `whsec_` and base64: one, or several during a rotation. */
  readonly secrets: readonly string[];
  /** The largest difference between the time of signing and now, in both directions. The default is 300 s. */
  readonly toleranceSeconds?: number | undefined;
  readonly now?: Date | undefined;
};

/** An event in the form of webhooks. Without a `sequence` it is a test event. */
export type WebhookEvent = PaygraphEvent | TestEvent;

/**
 * Returns the event of a webhook if a secret has signed it within the tolerance (Standard Webhooks, scheme `v1`). The body may have
 * either format of endpoints. Otherwise throws a PaygraphError with the reason as `code`. Reply to such a request with 400 and do nothing else.
 */
export function verifyWebhook(request: WebhookRequest): WebhookEvent {
  const { headers, body, secrets, toleranceSeconds = 300, now = new Date() } = request;
  const keys = secrets.map(keyOf);
  if (keys.length === 0) throw new PaygraphError('WEBHOOK_SECRET', 'Give at least one secret.');
  const id = requireHeader(headers, ID);
  const timestamp = requireHeader(headers, TIMESTAMP);
  const signatures = requireHeader(headers, SIGNATURE);
  checkTime(timestamp, toleranceSeconds, now);
  const bytes = bytesOf(body);
  const expected = keys.map((key) =>
    createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest('base64'),
  );
  const given = signatures.split(' ').flatMap((each) => (each.startsWith('v1,') ? [each.slice(3)] : []));
  if (!given.some((each) => expected.some((one) => equal(each, one)))) {
    throw new PaygraphError(
      'WEBHOOK_SIGNATURE',
      'No signature is of any of the secrets: the secret is of another endpoint, or the body is not as it was received.',
    );
  }
  return parse(bytes);
}

const ID = 'webhook-id';
const TIMESTAMP = 'webhook-timestamp';
const SIGNATURE = 'webhook-signature';

function keyOf(secret: string): Uint8Array {
  const text = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : secret;
  const key = Buffer.from(text, 'base64');
  // Buffer drops characters that are not base64, and would sign with the rest.
  if (key.length === 0 || key.toString('base64') !== text) {
    throw new PaygraphError('WEBHOOK_SECRET', 'A secret is not `whsec_` and base64.');
  }
  return key;
}

function requireHeader(headers: WebhookRequest['headers'], name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : find(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new PaygraphError('WEBHOOK_HEADERS', `The header ${name} is missing, or there are several.`);
}

function find(headers: object, name: string): unknown {
  const found: unknown = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) && found.length === 1 ? found[0] : found;
}

function checkTime(timestamp: string, toleranceSeconds: number, now: Date): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new PaygraphError('WEBHOOK_TIMESTAMP', `The header ${TIMESTAMP} is not a number of seconds.`);
  }
  const ageSeconds = Math.floor(now.getTime() / 1_000) - Number(timestamp);
  if (Math.abs(ageSeconds) <= toleranceSeconds) return;
  throw new PaygraphError(
    'WEBHOOK_TIMESTAMP',
    `It was signed ${Math.abs(ageSeconds)} s ${ageSeconds > 0 ? 'ago' : 'from now'}, and ${toleranceSeconds} s are allowed: it is a copy, or a clock is wrong.`,
  );
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (body instanceof Uint8Array) return body;
  throw new PaygraphError('WEBHOOK_BODY', 'Give the body as it was received, as text or bytes, not parsed.');
}

function equal(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The body of an endpoint with the format `CLOUD_EVENTS`. */
type CloudEvent = { readonly specversion: string; readonly data: WebhookEvent };

function parse(bytes: Uint8Array): WebhookEvent {
  try {
    const body = JSON.parse(Buffer.from(bytes).toString('utf8')) as WebhookEvent | CloudEvent;
    return 'specversion' in body ? body.data : body;
  } catch {
    throw new PaygraphError('WEBHOOK_BODY', 'The body is signed, but is not JSON.');
  }
}
