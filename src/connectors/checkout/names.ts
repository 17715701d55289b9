import { isUuid } from '../door.ts';

/**
 * The names under which Checkout.com keeps our keys.
 *
 * - The `reference` of a payment is the key of its authorisation.
 * - The `reference` of a change is its key with the verb, such as `<key>_capture`. So no copy of a payment's name is one.
 * - `paygraph_operation` and `paygraph_verb` in the metadata say the same. A sale has a verb of its own, because it captures by
 *   itself.
 * - `paygraph_stores` in the metadata is `true` for a payment that stores its payment method.
 */
const OPERATION = 'paygraph_operation';
const VERB = 'paygraph_verb';
const STORES = 'paygraph_stores';

const CHANGES = ['capture', 'refund', 'void', 'cancel'] as const;

/** The operations that change a payment. */
export type Change = (typeof CHANGES)[number];

/** The names of an object at Checkout.com. An object that somebody made elsewhere may have copies of the payment's. */
export type Named = {
  readonly reference?: string | null | undefined;
  readonly metadata: Readonly<Record<string, string>>;
};

/** Returns the names of a change of a payment. */
export const namesOfChange = (key: string, verb: Change) => ({
  reference: `${key}_${verb}`,
  metadata: { [OPERATION]: key, [VERB]: verb },
});

type Payment = { readonly key: string; readonly isSale: boolean; readonly stores: boolean };

/** Returns the names of a payment. */
export const namesOfPayment = ({ key, isSale, stores }: Payment) => ({
  reference: key,
  metadata: {
    ...{ [OPERATION]: key, [VERB]: isSale ? 'sale' : 'authorize' },
    ...(stores && { [STORES]: 'true' }),
  },
});

/** Reads the names of a payment of ours. Null for the payment of another system, and for the names of a change. */
export function paymentNamedIn({ metadata }: Pick<Named, 'metadata'>): Payment | null {
  const { [OPERATION]: key, [VERB]: verb, [STORES]: stores } = metadata;
  if (key === undefined || !isUuid(key) || (verb !== 'authorize' && verb !== 'sale')) return null;
  return { key, isSale: verb === 'sale', stores: stores === 'true' };
}

/** Reads the names of a change of ours. Null for a change that somebody made elsewhere. */
export function changeNamedIn({
  reference,
  metadata,
}: Named): { readonly key: string; readonly verb: Change } | null {
  const [key = '', word = '', ...rest] = (reference ?? '').split('_');
  const told = rest.length === 0 ? changeOf(key, word) : null;
  return told ?? changeOf(metadata[OPERATION], metadata[VERB]);
}

function changeOf(key: string | undefined, word: string | undefined) {
  const verb = CHANGES.find((each) => each === word);
  return verb !== undefined && key !== undefined && isUuid(key) ? { key, verb } : null;
}
