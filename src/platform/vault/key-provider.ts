import { OperatorError } from '../operator-error.ts';

/** A data key as it is kept: encrypted, beside the name of the key-encryption key. */
export type WrappedKey = { readonly keyId: string; readonly wrapped: string };

/** Whose data key it is; bound into the wrapped text, so that a data key cannot be moved to another merchant account. */
export type KeyPlace = readonly string[];

/** Keeps key-encryption keys: in this process's memory, or in a key management service. */
export type KeyProvider = {
  /** Names the key that `wrap` uses now. */
  currentKeyId(): Promise<string>;
  /** Whether it may have the key of this id. */
  holds(keyId: string): boolean;
  wrap(dataKey: Buffer, place: KeyPlace): Promise<WrappedKey>;
  /** Throws when it does not have the key, or the text was changed or made for another place. */
  unwrap(key: WrappedKey, place: KeyPlace): Promise<Buffer>;
};

/** Wraps with the first provider and unwraps with whichever holds the key: so keys move from one to another. */
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

/** What to say when no provider has a key; it names both, which tells nothing of them. */
export async function missingKey(current: KeyProvider, keyId: string): Promise<OperatorError> {
  return new OperatorError(
    `A data key was wrapped by key ${keyId}, but the current one is ${await current.currentKeyId()}. ` +
      'Give the former key, too: see PAYGRAPH_MASTER_KEY_PREVIOUS and PAYGRAPH_TRANSIT_URL.',
  );
}

/** The wrapped text is of a key that is there, and does not open: told alike by every provider. */
export const changedKey = (): Error =>
  new Error('A wrapped data key was changed, or belongs to another merchant account.');
