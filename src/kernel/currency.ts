import { code, codes } from 'currency-codes';

/** Every code of ISO 4217. */
export const CURRENCIES: readonly string[] = codes();

/** The decimals of each currency. Codes without decimals, such as gold, count as 0. */
const DECIMALS: ReadonlyMap<string, number> = new Map(
  CURRENCIES.map((currency) => [currency, code(currency)?.digits ?? 0]),
);

/** Returns the number of decimals of a currency by ISO 4217, 0 to 4. Null for a code that the list lacks. */
export const decimalsOf = (currency: string): number | null => DECIMALS.get(currency) ?? null;
