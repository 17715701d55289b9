import type { App } from '../../app.ts';
import { holdsCardNumber } from '../../kernel/account-numbers/card-number.ts';
import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { refuseText } from '../../platform/input/text.ts';
import type { Transaction } from '../transactions/index.ts';
import { recordReceiptRequest } from './event.ts';
import type { UpToDate } from './pay/bring-up-to-date.ts';
import { meaningOf, type PaymentLink } from './payment-link.ts';
import { databaseNow, lockLink, writeReceiptRequest } from './store/links.ts';

/** The link offers no receipt, or is not paid, or the payment was taken back. */
export type ReceiptNotOffered = { readonly kind: 'ReceiptNotOffered' };

/** Returns the transaction that paid a link. Null for an unpaid link. */
export const paymentOf = (transactions: readonly Transaction[]): Transaction | null =>
  transactions.find((each) => meaningOf(each) === 'complete') ?? null;

/** Tells whether the provider took back everything that was captured. */
export const isTakenBack = ({
  capturedAmount,
  captureReversedAmount,
}: Pick<Transaction, 'capturedAmount' | 'captureReversedAmount'>): boolean =>
  capturedAmount === 0 && captureReversedAmount > 0;

/**
 * Asks the merchant for a receipt of a paid link. Commits once: the mark on the link, and the event with the address.
 * A repeated request changes nothing, whatever its address. Refuses an address that no e-mail can reach.
 */
export async function requestReceipt(
  app: App,
  { link, transactions }: UpToDate,
  emailAddress: string,
): Promise<Requested> {
  const { merchantAccountId, id } = link;
  const payment = paymentOf(transactions);
  if (!payment || isTakenBack(payment)) return refuse(NOT_OFFERED);
  if (!isEmailAddress(emailAddress)) return refuse(BAD_ADDRESS);
  const requested = await app.db.transaction(async (tx): Promise<Requested> => {
    const locked = await lockLink(tx, merchantAccountId, id);
    if (!locked?.offersReceipt || locked.status !== 'completed') return refuse(NOT_OFFERED);
    if (locked.receiptRequestedAt !== null) return ok(locked);
    const now = await databaseNow(tx);
    const marked: PaymentLink = { ...locked, receiptRequestedAt: now, updatedAt: now };
    await writeReceiptRequest(tx, locked, now);
    await recordReceiptRequest(app, tx, marked, { transactionId: payment.id, emailAddress });
    return ok(marked);
  });
  if (requested.ok) app.wakeRelay();
  return requested;
}

type Requested = Result<PaymentLink, InvalidInput | ReceiptNotOffered>;

const NOT_OFFERED: ReceiptNotOffered = { kind: 'ReceiptNotOffered' };
const BAD_ADDRESS = invalidInput(['emailAddress'], 'Must be an e-mail address such as jane@example.com.');

/** The longest address that SMTP can carry (RFC 5321). */
const ADDRESS_MAX = 254;

/** One name, one at sign, and a domain of at least two labels. No character that ends an address in a header. */
const ADDRESS =
  /^[^\s@"<>()[\]\\,;:]{1,64}@(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.)+[\p{L}\p{N}][\p{L}\p{N}-]{0,62}$/u;

const isEmailAddress = (text: string): boolean =>
  refuseText(text, 3, ADDRESS_MAX) === null && ADDRESS.test(text) && !holdsCardNumber(text);
