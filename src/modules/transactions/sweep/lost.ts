import type { Connector } from '../../../connectors/interface/connector.ts';
import type { Notice } from '../../../connectors/notices/webhook.ts';
import { isUuid } from '../../../platform/ids.ts';
import { providerKeyOf } from '../model/provider-keys.ts';
import type { OperationNotice } from '../notices/webhook.ts';
import type { SweptPayment } from './store/sweeps.sql.ts';

/** The books of a payment during the comparison after a restore. */
export type RestoredBooks = {
  readonly payment: SweptPayment;
  readonly notices: readonly Notice[];
  readonly connector: Pick<Connector, 'namesCaptures'>;
};

/** True for a notice whose key no operation here has. */
const hasLostKey = ({ operations }: SweptPayment, { key }: Notice): boolean =>
  key !== null && !operations.some((operation) => providerKeyOf(operation) === key);

/**
 * True for a lost capture whose id at the provider may also be the id of a known one. Payments are held back, so no request with
 * the key is under way.
 */
export const isLostCapture = ({ payment, connector }: RestoredBooks, notice: Notice): boolean =>
  hasLostKey(payment, notice) &&
  notice.verb === 'capture' &&
  notice.outcome.kind === 'succeeded' &&
  !connector.namesCaptures;

/**
 * Returns a notice that matches by the ids of the provider, if no operation here has its key. A notice that was stored before
 * has another event key. A key that the provider copied to another operation is not kept, because either may be the first.
 */
export function withoutLostKey(books: RestoredBooks, notice: Notice): OperationNotice {
  const { payment } = books;
  const { key, paymentReference, eventKey } = notice;
  if (!hasLostKey(payment, notice)) return notice;
  return {
    ...{ ...notice, key: null, eventKey: `${eventKey}:restored`, reference: ownReference(books, notice) },
    ...(key !== null && isUuid(key) && !isCopied(books, notice) && { lostKey: key }),
    paymentReference: paymentReference ?? payment.transaction.paymentServiceTransactionId,
  };
}

/** True if a notice of another operation has the same key. */
const isCopied = ({ notices }: RestoredBooks, { key, verb, reference }: Notice): boolean =>
  notices.some((each) => each.key === key && (each.verb !== verb || each.reference !== reference));

/** Adds the key to the id of a lost capture, if another capture of the payment has the same id. */
function ownReference(books: RestoredBooks, notice: Notice): string | null {
  const { key, reference } = notice;
  if (reference === null || key === null || !isLostCapture(books, notice)) return reference;
  const { notices, payment } = books;
  const first = notices.find((each) => each.verb === 'capture' && each.reference === reference);
  const isTaken = first !== notice || payment.operations.some(isCapture);
  return isTaken ? `${reference}:${key}` : reference;
}

const isCapture = ({ kind, status }: SweptPayment['operations'][number]): boolean =>
  kind === 'capture' && (status === 'pending' || status === 'succeeded');
