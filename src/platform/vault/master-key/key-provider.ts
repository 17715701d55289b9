import { OperatorError } from '../../operator-error.ts';

/** The stored form of a data key: encrypted, with the name of the key-encryption key. */
export type WrappedKey = { readonly keyId: string; readonly wrapped: string };

/**
 * The owner of a data key. The wrapped text is bound to it, so that a data key cannot move to another merchant account.
 */
export type KeyPlace = readonly string[];

/** A provider of key-encryption keys: in this process's memory, or in a key management service. */
export type KeyProvider = {
  /** Returns the name of the key that `wrap` uses now. */
  currentKeyId(): Promise<string>;
  /** Returns true if the provider may have the key of this id. */
  holds(keyId: string): boolean;
  wrap(dataKey: Buffer, place: KeyPlace): Promise<WrappedKey>;
  /** Throws when the provider lacks the key, or when the text was changed or belongs to another place. */
  unwrap(key: WrappedKey, place: KeyPlace): Promise<Buffer>;
};

/**
 * Returns a provider that wraps with `current` and unwraps with the provider that has the key. Keys can therefore move
 * between providers.
 */
export function joinKeyProviders(current: KeyProvider, others: readonly KeyProvider[]): KeyProvider {
  const all = [current, ...others];
  return {
    currentKeyId: () => current.currentKeyId(),
    holds: (keyId) => all.some((provider) => provider.holds(keyId)),
    wrap: (dataKey, place) => current.wrap(dataKey, place),
    unwrap: async (key, place) => {
      const holder = all.find((provider) => provider.holds(key.keyId));
      if (!holder) throw await missingKey(current, key.keyId);
      return await holder.unwrap(key, place);
    },
  };
}

/** Returns the error for a key that no provider has. The error names both keys, and names reveal nothing of a key. */
export async function missingKey(current: KeyProvider, keyId: string): Promise<OperatorError> {
  return new OperatorError(
    `A data key was wrapped by key ${keyId}, but the current key is ${await current.currentKeyId()}. ` +
      'Configure the former key too. See PAYGRAPH_MASTER_KEY_PREVIOUS and PAYGRAPH_TRANSIT_URL.',
  );
}

/** Returns the error for a wrapped text that its own key does not open. The error is the same for every provider. */
export const changedKey = (): Error =>
  new Error('A wrapped data key was changed, or belongs to another merchant account.');
