import { texts } from '../texts/texts.ts';

/** An amount in the smallest unit of its currency. */
export type Money = { readonly amount: number; readonly currency: string };

/** The person's own variant of the language of the texts. A browser may name a variant that no format knows. */
export const LOCALE = navigator.languages.find(isVariant) ?? texts.language;

function isVariant(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language === texts.language;
  } catch {
    return false;
  }
}

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency);
  if (known) return known;
  const made = new Intl.NumberFormat(LOCALE, {
    ...{ style: 'currency', currency, currencyDisplay: 'narrowSymbol' },
  });
  formats.set(currency, made);
  return made;
}

/** Returns the digits behind the point of a currency. */
export const decimalsOf = (currency: string): number =>
  formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;

/** Writes an amount with the symbol of its currency. */
export const writeMoney = ({ amount, currency }: Money): string =>
  formatOf(currency).format(amount / 10 ** decimalsOf(currency));

/** Reads an amount that a person typed. Null unless it is a positive amount with as many digits as the currency has. */
export function readMoney(text: string, currency: string): number | null {
  const decimals = decimalsOf(currency);
  const plain = text.trim().replace(',', '.');
  if (!/^\d{1,8}(\.\d*)?$/.test(plain)) return null;
  const [whole = '', part = ''] = plain.split('.');
  if (part.length > decimals) return null;
  const units = Number(whole + part.padEnd(decimals, '0'));
  return units > 0 ? units : null;
}

/** Writes an amount as a person would type it. */
export const typeMoney = ({ amount, currency }: Money): string =>
  (amount / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency));

/** An amount with its code, because several currencies have the same symbol. */
export function Amount(money: Money) {
  return (
    <span className="amount">
      {writeMoney(money)}
      <small>{money.currency}</small>
    </span>
  );
}

const DAY = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const YEAR = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });
const TIME = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const SECOND = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium', hourCycle: 'h23' });
const WHOLE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' });

/** A moment in the person's zone. The tooltip has the whole moment with its zone. */
export function Moment({ at, seconds = false }: { readonly at: string; readonly seconds?: boolean }) {
  const date = new Date(at);
  const day = date.getFullYear() === new Date().getFullYear() ? DAY : YEAR;
  return (
    <time dateTime={at} title={WHOLE.format(date)}>
      {day.format(date)}, {(seconds ? SECOND : TIME).format(date)}
    </time>
  );
}
