import type { App } from '../../app.ts';

/** The use of an idempotency key: the merchant account, the mutation, and the part of the mutation. */
type KeyUse = {
  readonly merchantAccountId: string;
  readonly mutation: string;
  /** The caller's idempotency key. */
  readonly key: string;
  /** Tells the operations of one mutation apart, such as the payment service or the position of a gift card. */
  readonly part: string;
};

/**
 * Derives the keys of an operation at its provider from the caller's idempotency key. The keys are the same on every
 * machine with the master key. A restored database may have lost an operation. The provider then still recognises the
 * caller's repeat, and does nothing twice.
 *
 * The claim takes the first key that no operation has. The others serve requests that use the same idempotency key
 * again, after its record has expired.
 */
export const providerKeysOf = (
  { vault }: Pick<App, 'vault'>,
  { merchantAccountId, mutation, key, part }: KeyUse,
): Promise<readonly string[]> =>
  Promise.all(
    Array.from({ length: USES }, async (_, use) =>
      asUuid(
        await vault.fingerprint(
          merchantAccountId,
          `provider key ${JSON.stringify([mutation, part, use, key])}`,
        ),
      ),
    ),
  );

/** The number of uses of one idempotency key with a derived provider key. A later use takes the operation's id. */
const USES = 4;

/** Shapes the first 122 bits of a hexadecimal digest as a UUID. Version 8 is free for a maker's own bits. */
function asUuid(digest: string): string {
  const variant = ((Number.parseInt(digest.slice(16, 17), 16) & 0b0011) | 0b1000).toString(16);
  const bits = `${digest.slice(0, 12)}8${digest.slice(13, 16)}${variant}${digest.slice(17, 32)}`;
  return bits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
