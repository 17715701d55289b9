import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** The signed parts of a request. */
export type SignedMessage = {
  /** The event's id, the same at every attempt. */
  readonly id: string;
  /** The time of this attempt in seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
};

const PREFIX = 'whsec_';

/** The bytes of a secret: as many as the digest has. */
export const SECRET_BYTES = 32;

/** Returns a secret in the form for receivers (Standard Webhooks): `whsec_` and base64. */
export const secretText = (bytes: Buffer): string => PREFIX + bytes.toString('base64');

/** Returns the key of a secret. With a key from bytes, Node takes three times as long for a signature. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(secret.slice(PREFIX.length), 'base64');

/**
 * Returns the header `webhook-signature`: one signature for each live secret. During a rotation, a receiver needs to
 * know only one of them.
 */
export const signatureHeader = (message: SignedMessage, keys: readonly KeyObject[]): string =>
  keys.map((key) => `v1,${signature(message, key)}`).join(' ');

const signature = ({ id, timestamp, body }: SignedMessage, key: KeyObject): string =>
  createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
