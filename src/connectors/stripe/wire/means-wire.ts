import type { Stripe } from 'stripe';
import { z } from 'zod';
import {
  brazilianTaxIdOf,
  cutText,
  fullNameOf,
  type AuthorizeRequest,
  type BankDebit,
  type Card,
  type NetworkToken,
  type PayingBuyer,
  type WalletToken,
} from '../../door.ts';
import type { StripeMethod } from '../model/methods.ts';
import { billingDetailsOf, holderOf } from './buyer-wire.ts';

/** Maps a card in clear to a payment method. */
export function cardToWire(
  { number, expirationDate, securityCode }: Card,
  buyer: PayingBuyer,
): Stripe.PaymentMethodCreateParams {
  return {
    type: 'card',
    card: {
      number,
      ...expiryOf(expirationDate),
      ...(securityCode !== null && { cvc: securityCode }),
    },
    billing_details: billingDetailsOf(buyer),
  };
}

/** Maps MM/YY to Stripe's month and year. */
function expiryOf(expirationDate: string): { readonly exp_month: number; readonly exp_year: number } {
  const [month = '', year = ''] = expirationDate.split('/');
  return { exp_month: Number(month), exp_year: 2000 + Number(year) };
}

/** Stripe opens network tokens for single accounts, so the SDK's types lack them. */
type NetworkTokenData = Stripe.PaymentIntentCreateParams.PaymentMethodData & {
  readonly card: ReturnType<typeof expiryOf> & {
    readonly last4: string;
    readonly network_token: ReturnType<typeof expiryOf> & { readonly number: string };
  };
};

/**
 * Maps a network token to the data of a payment method. The last digits are those of the token, because those of the card
 * are unknown. The cryptogram is an option of the payment.
 */
export function networkTokenToWire(
  { number, expirationDate }: NetworkToken,
  buyer: PayingBuyer,
): NetworkTokenData {
  const expiry = expiryOf(expirationDate);
  return {
    type: 'card',
    card: { ...expiry, last4: number.slice(-4), network_token: { number, ...expiry } },
    billing_details: billingDetailsOf(buyer),
  };
}

/** Maps a token of a wallet's card to a payment method. */
export const walletCardToWire = (token: string, buyer: PayingBuyer): Stripe.PaymentMethodCreateParams => ({
  type: 'card',
  card: { token },
  billing_details: billingDetailsOf(buyer),
});

/** The parameters with which Stripe's own software for iPhones turns a payment into a token. The SDK's types lack them. */
export type ApplePayTokenParams = { readonly pk_token: string };

/** Maps Apple Pay's payment data to a request for a token. */
export const applePayToWire = ({ token }: WalletToken): ApplePayTokenParams => ({ pk_token: token });

const stripeToken = z.object({ id: z.string().regex(/^tok_\w+$/), object: z.literal('token') });

/**
 * Reads the token of Google Pay. With the gateway `stripe`, Google asks Stripe, so the text is a token of Stripe. Null for the
 * text of another gateway.
 */
export function readGooglePay({ token }: WalletToken): string | null {
  try {
    return stripeToken.safeParse(JSON.parse(token)).data?.id ?? null;
  } catch {
    return null;
  }
}

/** Maps the payer to a customer, who keeps the stored method. */
export function customerToWire({ key, buyer, bank }: AuthorizeRequest): Stripe.CustomerCreateParams {
  const name = (bank && holderOf(bank)) ?? fullNameOf(buyer.firstName, buyer.lastName);
  return {
    ...(name !== null && { name }),
    ...(buyer.email !== null && { email: buyer.email }),
    metadata: {
      paygraph_operation: key,
      ...(buyer.reference !== null && { paygraph_buyer: cutText(buyer.reference, 500) ?? '' }),
    },
  };
}

/** Maps a bank account to the data of a payment method. */
export function bankToWire(
  bank: BankDebit,
  buyer: PayingBuyer,
): Stripe.PaymentIntentCreateParams.PaymentMethodData {
  const billing_details = billingDetailsOf(buyer, holderOf(bank));
  const { accountNumber, routingNumber } = bank;
  switch (bank.scheme) {
    case 'sepa':
      return { type: 'sepa_debit', sepa_debit: { iban: accountNumber }, billing_details };
    case 'bacs':
      return {
        type: 'bacs_debit',
        bacs_debit: { account_number: accountNumber, ...(routingNumber && { sort_code: routingNumber }) },
        billing_details,
      };
    case 'ach':
      return {
        type: 'us_bank_account',
        us_bank_account: {
          account_number: accountNumber,
          account_holder_type: bank.accountHolder.companyName === null ? 'individual' : 'company',
          ...(routingNumber && { routing_number: routingNumber }),
          ...(bank.accountType && { account_type: bank.accountType }),
        },
        billing_details,
      };
  }
}

/** Maps a method that the buyer approves or pays elsewhere to the data of a payment method. */
export function elsewhereToWire(
  { type }: StripeMethod,
  buyer: PayingBuyer,
): Stripe.PaymentIntentCreateParams.PaymentMethodData {
  const tax_id = brazilianTaxIdOf(buyer);
  const billing_details = billingDetailsOf(buyer);
  if (tax_id === null) return { type, billing_details };
  if (type === 'pix') return { type, billing_details: { ...billing_details, tax_id } };
  return { type, billing_details, ...(type === 'boleto' && { boleto: { tax_id } }) };
}

/** Returns the options without which Stripe refuses a method: the client that shows the code of WeChat Pay. */
export const elsewhereOptionsToWire = ({
  type,
}: StripeMethod): Stripe.PaymentIntentCreateParams.PaymentMethodOptions | null =>
  type === 'wechat_pay' ? { wechat_pay: { client: 'web' } } : null;

/** Maps the payer's consent. Without an address and a browser the payer accepted on paper or by phone. */
export function mandateToWire({ mandate }: BankDebit): Stripe.PaymentIntentCreateParams.MandateData | null {
  if (mandate === null) return null;
  const { acceptedAt, ipAddress, userAgent } = mandate;
  const accepted_at = Math.floor(Date.parse(acceptedAt) / 1_000);
  const customer_acceptance =
    ipAddress !== null && userAgent !== null
      ? {
          type: 'online' as const,
          accepted_at,
          online: { ip_address: ipAddress, user_agent: userAgent },
        }
      : { type: 'offline' as const, accepted_at, offline: {} };
  return { customer_acceptance };
}
