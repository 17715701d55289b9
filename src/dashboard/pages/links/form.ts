import type { CreatePaymentLinkInput } from '../../../client/generated/schema.ts';
import { readMoney } from '../../design/value.tsx';

/** The times for which a link may be open, in hours. */
const HOURS = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;

export type OpenFor = keyof typeof HOURS;

/** The values of a new link as a person types them. */
export type Values = {
  readonly amount: string;
  readonly currency: string;
  readonly country: string;
  readonly merchantMessage: string;
  readonly externalIdentifier: string;
  readonly intent: 'CAPTURE' | 'AUTHORIZE';
  readonly openFor: OpenFor;
  readonly merchantName: string;
  readonly merchantColor: string;
  readonly returnUrl: string;
  readonly offersReceipt: boolean;
};

/** The values of an empty form. The colour is that of a page whose merchant chose none. */
export const NEW: Values = {
  ...{
    amount: '',
    currency: 'EUR',
    country: 'DE',
    merchantMessage: '',
    externalIdentifier: '',
    intent: 'CAPTURE',
  },
  ...{ openFor: 'week', merchantName: '', merchantColor: '#1f3fdb', returnUrl: '', offersReceipt: false },
};

/** Returns true for a text in the form of a currency's code. */
export const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);

/** Returns the amount in the smallest unit of the currency. Null while one of both is wrong. */
export const amountOf = ({ amount, currency }: Values): number | null =>
  isCurrency(currency) ? readMoney(amount, currency) : null;

/** Translates the values for the API. Null while the amount is wrong. */
export function inputOf(values: Values, now: number): CreatePaymentLinkInput | null {
  const amount = amountOf(values);
  if (amount === null) return null;
  const { currency, country, intent, openFor, offersReceipt } = values;
  return {
    ...{ amount, currency, country, intent, offersReceipt },
    expiresAt: new Date(now + HOURS[openFor] * 3_600_000).toISOString(),
    merchantMessage: given(values.merchantMessage),
    externalIdentifier: given(values.externalIdentifier),
    merchantName: given(values.merchantName),
    merchantColor: values.merchantColor === NEW.merchantColor ? null : values.merchantColor,
    returnUrl: given(values.returnUrl),
  };
}

const given = (text: string): string | null => text.trim() || null;
