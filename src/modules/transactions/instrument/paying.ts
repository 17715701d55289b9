import type { BankAccount, Card } from '../../../connectors/requests.ts';
import type { InvalidInput, NotFound } from '../../../kernel/refusal.ts';
import type { BuyerDetails, NewPaymentMethod, PaymentMethod } from '../../payment-methods/index.ts';
import type { NoPaymentService } from '../model/refusals.ts';
import type { Transaction } from '../model/transaction.ts';

/** The buyer and the instrument of a payment, looked up and opened. Nothing is written yet. */
export type Paying = Pick<
  Transaction,
  'method' | 'instrumentType' | 'buyerId' | 'country' | 'redirectUrl'
> & {
  /** The details given with the payment, or else those of the stored buyer. */
  readonly buyer: BuyerDetails | null;
  /** The card in clear. Null when no card pays. */
  readonly card: Card | null;
  /** The bank account in clear. Null when no bank account pays. */
  readonly bank: BankAccount | null;
  /** The stored payment method that pays. */
  readonly stored: PaymentMethod | null;
  /** The payment method that the payment stores. */
  readonly made: NewPaymentMethod | null;
};

export type PayingRefusal = InvalidInput | NotFound | NoPaymentService;
