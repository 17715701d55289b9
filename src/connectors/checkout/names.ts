import { isUuid } from '../door.ts';

/**
 * The names under which Checkout.com keeps our keys.
 *
 * - The `reference` of a payment is the key of its authorisation. The reference of a sale is `<key>_sale`: a sale captures by itself.
 * - The `reference` of a change is its key with the verb, such as `<key>_capture`. So no copy of a payment's name is one.
 * - `paygraph_operation` and `paygraph_verb` in the metadata say the same.
 * - `paygraph_stores` in the metadata is `true` for a payment that stores its payment method.
 */
const OPERATION = 'paygraph_operation';
const VERB = 'paygraph_verb';
const STORES = 'paygraph_stores';

const CHANGES = ['capture', 'refund', 'void', 'cancel', 'release'] as const;

/** The operations that change a payment. A release ends an authorisation that is not paid, under the key of the authorisation. */
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

const SALE = '_sale';

/** Returns the reference of a payment. */
const referenceOf = ({ key, isSale }: Pick<Payment, 'key' | 'isSale'>): string =>
  isSale ? `${key}${SALE}` : key;

/** Lists the references that a payment of a key may have. */
export const referencesOf = (key: string): readonly string[] =>
  [false, true].map((isSale) => referenceOf({ key, isSale }));

/** Returns the names of a payment. */
export const namesOfPayment = ({ key, isSale, stores }: Payment) => ({
  reference: referenceOf({ key, isSale }),
  metadata: {
    ...{ [OPERATION]: key, [VERB]: isSale ? 'sale' : 'authorize' },
    ...(stores && { [STORES]: 'true' }),
  },
});

/**
 * Reads the names of a payment of ours. Null for the payment of another system, and for the names of a change. Without metadata, only
 * the reference of a sale is one of ours for sure.
 */
export function paymentNamedIn({ reference, metadata }: Named): Payment | null {
  const { [OPERATION]: key, [VERB]: verb, [STORES]: stores } = metadata;
  if (key !== undefined && isUuid(key) && (verb === 'authorize' || verb === 'sale'))
    return { key, isSale: verb === 'sale', stores: stores === 'true' };
  const sale = reference?.endsWith(SALE) ? reference.slice(0, -SALE.length) : '';
  return isUuid(sale) ? { key: sale, isSale: true, stores: false } : null;
}

type OurChange = { readonly key: string; readonly verb: Change };

/** Reads the names of a change of ours. Null for a change that somebody made elsewhere. */
export function changeNamedIn({ reference, metadata }: Named): OurChange | null {
  const [key = '', word = '', ...rest] = (reference ?? '').split('_');
  const told = rest.length === 0 ? changeOf(key, word) : null;
  return told ?? changeOf(metadata[OPERATION], metadata[VERB]);
}

function changeOf(key: string | undefined, word: string | undefined): OurChange | null {
  const verb = CHANGES.find((each) => each === word);
  return verb !== undefined && key !== undefined && isUuid(key) ? { key, verb } : null;
}
