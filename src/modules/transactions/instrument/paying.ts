import type { InvalidInput, NotFound } from '../../../kernel/refusal.ts';
import type { BuyerDetails, NewPaymentMethod, PaymentMethod } from '../../payment-methods/index.ts';
import type { NoPaymentService } from '../model/refusals.ts';
import type { Transaction } from '../model/transaction.ts';
import type { Means } from './sealed-means.ts';

/**
 * The buyer and the instrument of a payment, looked up and opened. Nothing is written yet. A token is the client's own:
 * the token of a stored payment method is found with the payment service.
 */
export type Paying = Pick<Transaction, 'method' | 'instrumentType' | 'buyerId' | 'country' | 'redirectUrl'> &
  Means & {
    /** The details given with the payment, or else those of the stored buyer. */
    readonly buyer: BuyerDetails | null;
    /** The stored payment method that pays. */
    readonly stored: PaymentMethod | null;
    /** The payment method that the payment stores. */
    readonly made: NewPaymentMethod | null;
    /** The card behind a network token or a provider's token, as far as known. */
    readonly tokenised: Pick<PaymentMethod, 'scheme' | 'bin' | 'lastFour' | 'expirationDate'> | null;
  };

export type PayingRefusal = InvalidInput | NotFound | NoPaymentService;
