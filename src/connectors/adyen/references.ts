import { isUuid, type Verb } from '../door.ts';

/** The changes of a payment that are named in a reference. The release after a final capture has the key of the capture. */
type Change = Exclude<Verb, 'authorize'> | typeof RELEASE;

export const RELEASE = 'release';

/**
 * Returns the reference of an increase, capture, refund, void, cancel or release: our key with the verb. The webhook of a sale's capture has the
 * reference of the authorisation, which is the key alone. So the two can be told apart.
 */
export const referenceOf = (verb: Change, key: string): string => `${key}${SEPARATOR}${verb}`;

/** Returns the reference of the cancel of a payment that nobody completes. No operation waits for the decision about this cancel. */
export const referenceOfLeave = (key: string): string => `${key}${SEPARATOR}${LEAVE}`;

/** True for the reference of such a cancel. */
export const isOfLeave = (reference: string): boolean => {
  const [key = '', word, ...rest] = reference.toLowerCase().split(SEPARATOR);
  return word === LEAVE && rest.length === 0 && isUuid(key);
};

/** Reads a reference of ours: the key, and the verb of a change. Null for the reference of another system. */
export function keyOf(reference: string): { readonly key: string; readonly verb: Change | null } | null {
  const [key = '', word = null, ...rest] = reference.toLowerCase().split(SEPARATOR);
  const verb = VERBS.find((each) => each === word) ?? null;
  return isUuid(key) && rest.length === 0 && (word === null) === (verb === null) ? { key, verb } : null;
}

/** A colon would separate the signed fields of a webhook, so no reference has one. */
const SEPARATOR = '_';

const LEAVE = 'leave';

const VERBS = ['increase', 'capture', 'refund', 'void', 'cancel', RELEASE] as const;
