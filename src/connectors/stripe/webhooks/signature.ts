import { isSignedByOne, secretsIn, type WebhookRequest } from '../../door.ts';

export const SIGNATURE_HEADER = 'stripe-signature';

/** The most seconds between the signature and now, in both directions. An older webhook may be a replayed one. */
const TOLERANCE_S = 300;

/**
 * True if one of the service's secrets signed the bytes of the webhook within the last minutes. Without a secret nothing is
 * genuine. While a secret rolls, Stripe signs with both.
 */
export function isSigned({
  headers,
  rawBody,
  credentials,
  now,
}: Pick<WebhookRequest, 'headers' | 'rawBody' | 'credentials' | 'now'>): boolean {
  const { time, signatures } = readHeader(headers[SIGNATURE_HEADER] ?? '');
  if (time === null || Math.abs(now.getTime() / 1_000 - Number(time)) > TOLERANCE_S) return false;
  const secrets = secretsIn(credentials['webhook_secret']);
  return isSignedByOne({ secrets, signatures, parts: [`${time}.`, rawBody] });
}

/** Reads the time and the signatures of the scheme `v1`. Other schemes are for tests. */
function readHeader(header: string): {
  readonly time: string | null;
  readonly signatures: readonly Buffer[];
} {
  const parts = header.split(',').map((part) => part.trim());
  const [time = null] = parts.flatMap((part) => /^t=(\d{1,12})$/.exec(part)?.[1] ?? []);
  const signatures = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/i.exec(part)?.[1] ?? []);
  return { time, signatures: signatures.slice(0, SIGNATURES_MAX).map((hex) => Buffer.from(hex, 'hex')) };
}

/** Stripe sends one signature for each valid secret. */
const SIGNATURES_MAX = 10;
