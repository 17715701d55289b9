import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Credentials } from '../../door.ts';

/** The parts of a webhook's form. */
export type SignedForm = { readonly signature: string; readonly payload: string };

/** Reads the form of a webhook. Null for another body. */
export function formIn(rawBody: Buffer): SignedForm | null {
  const form = new URLSearchParams(rawBody.toString('utf8'));
  const [signature, payload] = [form.get('bt_signature'), form.get('bt_payload')];
  return signature !== null && payload !== null ? { signature, payload } : null;
}

/**
 * True if the private key of the service signed the payload. A signature lists pairs of a public key and a digest, and that of the
 * service's own public key counts. Braintree may sign the payload with a line feed at its end.
 */
export function isGenuine({ signature, payload }: SignedForm, credentials: Credentials): boolean {
  const { public_key: publicKey = '', private_key: privateKey = '' } = credentials;
  if (publicKey === '' || privateKey === '') return false;
  const digests = signature
    .split('&')
    .slice(0, PAIRS_MAX)
    .flatMap((pair) => {
      const [key, hex = ''] = pair.split('|');
      return key === publicKey && /^[0-9a-f]{40}$/i.test(hex) ? [Buffer.from(hex, 'hex')] : [];
    });
  // Without a short circuit, the time of the check tells nothing about the key.
  const matches = digests.flatMap((digest) =>
    [payload, `${payload}\n`].map((signed) => timingSafeEqual(digest, digestOf(signed, privateKey))),
  );
  return matches.includes(true);
}

const PAIRS_MAX = 20;

/** Signs a text with HMAC-SHA1. The key is the SHA-1 digest of the private key, as bytes. */
export const digestOf = (text: string, privateKey: string): Buffer =>
  createHmac('sha1', createHash('sha1').update(privateKey).digest()).update(text).digest();
