/**
 * The names under which Stripe keeps our keys. Metadata takes 50 names of at most 40 characters each.
 *
 * - `paygraph_operation`: the key of the authorisation or refund that made the object.
 * - `capture_<key>`: Stripe's amount of one capture. Stripe stores the name with the capture.
 * - `paygraph_response`: the key of the response to a dispute.
 */
export const OPERATION = 'paygraph_operation';
export const VERB = 'paygraph_verb';
export const REFERENCE = 'paygraph_reference';
export const RESPONSE = 'paygraph_response';

/** Returns the name of a capture among the metadata of its payment: 40 characters. */
export const captureName = (key: string): string => `capture_${key.replaceAll('-', '').toLowerCase()}`;

/** A capture that the metadata of a payment names. `amount` is Stripe's. */
export type NamedCapture = { readonly key: string; readonly amount: number };

/** Lists the captures that the metadata names. */
export const capturesOf = (metadata: Readonly<Record<string, string>>): readonly NamedCapture[] =>
  Object.entries(metadata).flatMap(([name, value]) => {
    const [, ...parts] = CAPTURE.exec(name) ?? [];
    return parts.length > 0 && /^\d{1,8}$/.test(value)
      ? [{ key: parts.join('-'), amount: Number(value) }]
      : [];
  });

const CAPTURE = /^capture_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** True for a key in our form, which no other text reaches the database as. */
export const isKey = (text: string | undefined): text is string =>
  text !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** Returns our key of the operation that made an object. Null for an object of another system. */
export const operationOf = (metadata: Readonly<Record<string, string>>): string | null => {
  const { [OPERATION]: key } = metadata;
  return isKey(key) ? key : null;
};
