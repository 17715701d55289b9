import { isUuid } from '../door.ts';
import { childrenOf, type Captured, type Transaction } from './answers.ts';

// A transaction has one text of ours, its order id. Braintree finds transactions by the beginning of the text.
//
// - `<key>` names an authorisation. Flags follow: `<key>.s` for a sale, `<key>.v` for one that stores its card, `<key>.sv` for both.
// - `.<key of the capture>` follows after our capture. A child capture has such an order id, too.
//
// Braintree may give the order id of a child capture to its authorisation. So every capture has the name of its authorisation.
// The order id of a refund is its own key.

/** The operations of ours that an order id names. */
export type OrderNames = {
  /** Our key of the authorisation. Null if the order id is not ours. */
  readonly key: string | null;
  readonly isSale: boolean;
  /** True if the payment stores its card at Braintree. */
  readonly vaults: boolean;
  /** Our key of the capture. Null if nobody captured, or somebody else did. */
  readonly captureKey: string | null;
};

type Paid = { readonly key: string; readonly isSale: boolean; readonly vaults: boolean };

/** Returns the order id of an authorisation or a sale. */
export function orderIdOf({ key, isSale, vaults }: Paid): string {
  const flags = `${isSale ? 's' : ''}${vaults ? 'v' : ''}`;
  return flags === '' ? key : `${key}.${flags}`;
}

/**
 * Returns the order id of our capture, by that of its authorisation. Somebody else may have made the authorisation, with any order id.
 * The name of an earlier capture does not stay.
 */
export const capturedOrderId = (orderId: string | null | undefined, captureKey: string): string =>
  [...partsOf(orderId).made, captureKey].join('.');

/** Parts an order id into the name of its authorisation and that of its capture. */
function partsOf(orderId: string | null | undefined) {
  const parts = (orderId ?? '').split('.');
  const last = parts.length > 1 ? (parts.at(-1) ?? '') : '';
  return isUuid(last) ? { made: parts.slice(0, -1), captureKey: last } : { made: parts, captureKey: null };
}

/** Reads the order id of a transaction. */
export function namesIn(orderId: string | null | undefined): OrderNames {
  const { made, captureKey } = partsOf(orderId);
  const [key = '', flags = '', ...others] = made;
  const isOurs = isUuid(key) && FLAGS.test(flags) && others.length === 0;
  return {
    key: isOurs ? key : null,
    isSale: isOurs && flags.includes('s'),
    vaults: isOurs && flags.includes('v'),
    captureKey,
  };
}

const FLAGS = /^s?v?$/;

type Named = { readonly orderId?: string | null | undefined };

/** Reads the order id of a refund. Null for one that its capture handed down, and for one of somebody else. */
export const keyOfRefund = ({ orderId }: Named, captured: Named): string | null =>
  orderId != null && orderId !== captured.orderId && isUuid(orderId) ? orderId : null;

/**
 * Finds the child capture of our key. A person's child capture may inherit the order id of an earlier one, so the oldest one is ours.
 */
export const childOf = <Child extends Captured>(
  children: readonly Child[],
  captureKey: string,
): Child | null =>
  children
    .filter(({ orderId }) => namesIn(orderId).captureKey === captureKey)
    .toSorted((one, other) => createdMs(one) - createdMs(other))[0] ?? null;

const createdMs = ({ createdAt }: Captured): number => createdAt?.getTime() ?? 0;

/** Reads our key of a capture, which for a sale is that of its authorisation. Null for a capture of somebody else. */
export function captureKeyOf(transaction: Transaction, captured: Captured): string | null {
  const { key, isSale, captureKey } = namesIn(transaction.orderId);
  if (captured.id === transaction.id) return isSale ? key : captureKey;
  const childKey = namesIn(captured.orderId).captureKey;
  return childKey !== null && childOf(childrenOf(transaction), childKey)?.id === captured.id
    ? childKey
    : null;
}

/** Returns the id of a capture. A sale and a child capture have that of their transaction, and any other capture the older id. */
export const captureReferenceOf = (
  transaction: Pick<Transaction, 'id' | 'orderId'>,
  { id, legacyId }: Pick<Captured, 'id' | 'legacyId'>,
): string => (id !== transaction.id || namesIn(transaction.orderId).isSale ? id : legacyId);
