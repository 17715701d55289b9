import { decimalsOf } from '../../kernel/currency.ts';
import type { Money } from '../../kernel/money.ts';

/** The form of a provider's amounts in one currency, where it differs from ISO 4217. */
export type AmountForm = {
  /** The decimals of the provider's amounts. */
  readonly decimals: number;
  /** The provider takes only multiples of this number. 1 by default. */
  readonly step?: number;
};

/** The exceptions of a provider, by currency. All other currencies follow ISO 4217. */
export type AmountForms = Readonly<Record<string, AmountForm>>;

/**
 * Converts our minor units into the provider's, exactly. Null when the provider cannot express the amount, or when
 * ISO 4217 lacks the currency. The connector then answers `failed` with `invalid_amount` before the call.
 */
export function toProviderUnits({ amount, currency }: Money, forms: AmountForms): number | null {
  const form = formOf(currency, forms);
  const scaled = form && scale(amount, form.ours, form.decimals);
  return form && scaled !== null && scaled % form.step === 0 ? scaled : null;
}

/** Converts the provider's minor units into ours, exactly. Null when we cannot express the amount. */
export function fromProviderUnits(amount: number, currency: string, forms: AmountForms): Money | null {
  const form = formOf(currency, forms);
  const scaled = form && scale(amount, form.decimals, form.ours);
  return scaled === null ? null : { amount: scaled, currency };
}

/** Converts our minor units into decimal text such as `12.99`, for providers that take text. Null as above. */
export function toDecimalText(money: Money, forms: AmountForms): string | null {
  const units = toProviderUnits(money, forms);
  const form = formOf(money.currency, forms);
  if (units === null || form === null) return null;
  const digits = String(units).padStart(form.decimals + 1, '0');
  const whole = digits.slice(0, digits.length - form.decimals);
  return form.decimals === 0 ? whole : `${whole}.${digits.slice(-form.decimals)}`;
}

/** Reads decimal text such as `12.99`. Null for other text, or when we cannot express the amount. */
export function fromDecimalText(text: string, currency: string, forms: AmountForms): Money | null {
  const form = formOf(currency, forms);
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (!form || whole === undefined) return null;
  // Zeros behind the currency's own decimals say nothing more. Other digits there cannot be expressed.
  const kept = fraction.slice(0, form.decimals).padEnd(form.decimals, '0');
  if (/[1-9]/.test(fraction.slice(form.decimals))) return null;
  return fromProviderUnits(Number(whole + kept), currency, forms);
}

/** At most 15 digits in all, so that the number stays exact. */
const DECIMAL = /^(\d{1,10})(?:\.(\d{1,5}))?$/;

/** Returns the smallest amount that a provider can express, in our minor units. All others are its multiples. */
export function unitOf(currency: string, forms: AmountForms): number {
  const form = formOf(currency, forms);
  if (form === null) return 1;
  const factor = 10 ** Math.abs(form.decimals - form.ours);
  return form.decimals <= form.ours ? factor * form.step : form.step / greatestDivisor(form.step, factor);
}

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);

function formOf(currency: string, forms: AmountForms) {
  const ours = decimalsOf(currency);
  return ours === null ? null : { ours, step: 1, decimals: ours, ...forms[currency] };
}

/** Multiplies or divides by a power of ten. Null when a digit would be lost. */
function scale(amount: number, from: number, to: number): number | null {
  const factor = 10 ** Math.abs(to - from);
  if (to >= from) return Number.isSafeInteger(amount * factor) ? amount * factor : null;
  return amount % factor === 0 ? amount / factor : null;
}
