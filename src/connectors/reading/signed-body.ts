import { createHmac, timingSafeEqual } from 'node:crypto';

/** Lists the secrets of a field, one a line or between commas. An empty secret would accept everybody. */
export const secretsIn = (field: string | undefined): readonly string[] =>
  (field ?? '')
    .split(/[\r\n,]+/)
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');

type Signed = {
  readonly secrets: readonly string[];
  /** The signatures of a webhook, 32 bytes each. */
  readonly signatures: readonly Buffer[];
  /** The parts of the signed bytes, in order. */
  readonly parts: readonly (string | Buffer)[];
};

/** True if one of the secrets made one of the signatures, with HMAC-SHA256. Without a secret nothing is genuine. */
export function isSignedByOne({ secrets, signatures, parts }: Signed): boolean {
  // Without a short circuit, the time of the check tells nothing about the secrets.
  const matches = secrets.flatMap((secret) => {
    const hmac = createHmac('sha256', secret);
    for (const part of parts) hmac.update(part);
    const digest = hmac.digest();
    return signatures.map((signature) => timingSafeEqual(digest, signature));
  });
  return matches.includes(true);
}
