import { createPublicKey, verify } from 'node:crypto';
import type { NamedMaterial, WebhookRequest } from '../door.ts';

/** The header with the address of the public key, in PEM. Only the host of `api_url` may have the key. */
export const KEY_URL_HEADER = 'x-sandbox-key-url';

/** The header with the signature of the body's bytes by that key, in Base64. RSA keys sign with SHA-256. */
export const KEY_SIGNATURE_HEADER = 'x-sandbox-key-signature';

/** Names the public key that signed a webhook. Null if the webhook names none. */
export function sandboxMaterial({
  headers,
  credentials,
}: Pick<WebhookRequest, 'headers' | 'credentials'>): NamedMaterial | null {
  const url = headers[KEY_URL_HEADER];
  if (url === undefined) return null;
  const host = URL.parse(credentials['api_url'] ?? '')?.host;
  return { url, hosts: host === undefined ? [] : [host] };
}

/** True if the fetched key signed the body. False for a text that is no key. */
export function isSignedByKey({
  headers,
  rawBody,
  material,
}: Pick<WebhookRequest, 'headers' | 'rawBody' | 'material'>): boolean {
  if (material === undefined) return false;
  try {
    const key = createPublicKey(material);
    const digest = key.asymmetricKeyType === 'rsa' ? 'sha256' : null;
    return verify(digest, rawBody, key, Buffer.from(headers[KEY_SIGNATURE_HEADER] ?? '', 'base64'));
  } catch {
    return false;
  }
}
