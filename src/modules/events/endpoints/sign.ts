import { createHmac, createSecretKey } from 'node:crypto';

/** What a signature covers. */
export type SignedMessage = {
  /** The event's id: the same at every attempt. */
  readonly id: string;
  /** Seconds since 1970, of this attempt. */
  readonly timestamp: number;
  readonly body: string;
};

const PREFIX = 'whsec_';

/** Bytes of a secret: as many as the digest has. */
export const SECRET_BYTES = 32;

/** A secret as receivers get it (Standard Webhooks): `whsec_` and base64. */
export const secretText = (bytes: Buffer): string => PREFIX + bytes.toString('base64');

/** The header `webhook-signature`: one signature for each live secret, so that a receiver may know either while one rotates. */
export const signatureHeader = (message: SignedMessage, secrets: readonly string[]): string =>
  secrets.map((secret) => `v1,${signature(message, secret)}`).join(' ');

function signature({ id, timestamp, body }: SignedMessage, secret: string): string {
  // Given as bytes, Node takes three times as long over the whole signature.
  const key = createSecretKey(secret.slice(PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
}
