/**
 * The names under which Stripe keeps our keys. Metadata takes 50 names of at most 40 characters each.
 *
 * - `paygraph_operation`: the key of the authorisation or refund that made the object.
 * - `paygraph_amount`: Stripe's amount of the authorisation, without increases.
 * - `capture_<key>`: Stripe's amount of one capture. Stripe stores the name with the capture.
 * - `raise_<key>`: Stripe's amount that one increase added. Stripe stores the name with the increase.
 * - `paygraph_response`: the key of the response to a dispute.
 * - `paygraph_means`: `network_token` if a network token pays, whose digits are not those of the card.
 */
export const OPERATION = 'paygraph_operation';
export const VERB = 'paygraph_verb';
export const REFERENCE = 'paygraph_reference';
export const AMOUNT = 'paygraph_amount';
export const RESPONSE = 'paygraph_response';
export const MEANS = 'paygraph_means';
export const NETWORK_TOKEN = 'network_token';

/** Returns the name of a capture among the metadata of its payment: 40 characters. */
export const captureName = (key: string): string => nameOf('capture', key);

/** Returns the name of an increase among the metadata of its payment. */
export const raiseName = (key: string): string => nameOf('raise', key);

const nameOf = (step: Step, key: string): string => `${step}_${key.replaceAll('-', '').toLowerCase()}`;

type Step = 'capture' | 'raise';

type Metadata = Readonly<Record<string, string>>;

/** A capture or an increase that the metadata of a payment names. `amount` is Stripe's. */
export type NamedStep = { readonly key: string; readonly amount: number };

/** Lists the captures that the metadata names. */
export const capturesOf = (metadata: Metadata): readonly NamedStep[] => stepsOf(metadata, 'capture');

/** Lists the increases that the metadata names. */
export const raisesOf = (metadata: Metadata): readonly NamedStep[] => stepsOf(metadata, 'raise');

const stepsOf = (metadata: Metadata, step: Step): readonly NamedStep[] =>
  Object.entries(metadata).flatMap(([name, value]) => {
    const [, named, ...parts] = STEP.exec(name) ?? [];
    return named === step && DIGITS.test(value) ? [{ key: parts.join('-'), amount: Number(value) }] : [];
  });

/** An amount of Stripe has at most eight digits. */
const DIGITS = /^\d{1,8}$/;

const STEP = /^(capture|raise)_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Returns the sum of named captures or increases. */
export const sumOf = (steps: readonly NamedStep[]): number =>
  steps.reduce((sum, { amount }) => sum + amount, 0);

/** True for a key in our form, which no other text reaches the database as. */
export const isKey = (text: string | undefined): text is string =>
  text !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** Returns our key of the operation that made an object. Null for an object of another system. */
export const operationOf = (metadata: Metadata): string | null => {
  const { [OPERATION]: key } = metadata;
  return isKey(key) ? key : null;
};

/**
 * Returns the part of the authorised amount that nothing of ours explains: somebody raised the amount elsewhere. 0 if the
 * payment does not name the amount of our request.
 */
export function raisedElsewhere({
  amount,
  metadata,
}: {
  readonly amount: number;
  readonly metadata: Metadata;
}): number {
  const { [AMOUNT]: asked = '' } = metadata;
  return DIGITS.test(asked) ? Math.max(0, amount - Number(asked) - sumOf(raisesOf(metadata))) : 0;
}
