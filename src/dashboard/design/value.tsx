import { languageOf } from '../texts/language.ts';
import { texts } from '../texts/texts.ts';

/** An amount in the smallest unit of its currency. */
export type Money = { readonly amount: number; readonly currency: string };

/** The person's own variant of the language of the texts, with the digits and the calendar of the API. */
export const LOCALE = new Intl.Locale(
  navigator.languages.find((tag) => languageOf(tag) === texts.language) ?? texts.language,
  { numberingSystem: 'latn', calendar: 'gregory' },
).toString();

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

const POINT = new Intl.NumberFormat(LOCALE).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value;

/** Writes an amount as a person would type it. */
export const typeMoney = ({ amount, currency }: Money): string =>
  (amount / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency)).replace('.', POINT ?? '.');

const LIST = new Intl.ListFormat(LOCALE, { type: 'conjunction' });

/** Writes words as a list, such as `a, b and c`. */
export const writeList = (words: readonly string[]): string => LIST.format(words);

/** An amount with its code, because several currencies have the same symbol. */
export function Amount(money: Money) {
  return (
    <span className="amount">
      {writeMoney(money)}
      <small>{money.currency}</small>
    </span>
  );
}

const DAY = { day: 'numeric', month: 'short' } as const;
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const FORMATS = {
  day: new Intl.DateTimeFormat(LOCALE, { ...DAY, ...TIME }),
  daySeconds: new Intl.DateTimeFormat(LOCALE, { ...DAY, ...TIME, second: '2-digit' }),
  year: new Intl.DateTimeFormat(LOCALE, { ...DAY, ...TIME, year: 'numeric' }),
  yearSeconds: new Intl.DateTimeFormat(LOCALE, { ...DAY, ...TIME, year: 'numeric', second: '2-digit' }),
};
const CALENDAR = new Intl.DateTimeFormat(LOCALE, { ...DAY, year: 'numeric', timeZone: 'UTC' });
const WHOLE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' });

/** Writes a moment in the person's zone, for a sentence. */
export function writeMoment(at: string, seconds = false): string {
  const date = new Date(at);
  const day = date.getFullYear() === new Date().getFullYear() ? 'day' : 'year';
  return FORMATS[seconds ? (`${day}Seconds` as const) : day].format(date);
}

/** A moment in the person's zone. The tooltip has the whole moment with its zone. */
export const Moment = ({ at, seconds = false }: { readonly at: string; readonly seconds?: boolean }) => (
  <time dateTime={at} title={WHOLE.format(new Date(at))}>
    {writeMoment(at, seconds)}
  </time>
);

/** A day of a provider's calendar, such as `2026-01-31`. No zone changes it. */
export const Day = ({ on }: { readonly on: string }) => (
  <time dateTime={on}>{CALENDAR.format(new Date(`${on}T00:00:00Z`))}</time>
);
