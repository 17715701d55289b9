import type { Spoiling } from '../kit/account.ts';
import { moneyOf, readAmount } from './world.ts';

const STATUSES: ReadonlySet<string> = new Set(['status', 'transaction_status']);

/** Returns an answer with a false word, currency or amount in every object of it. */
export function spoil(fault: Spoiling, body: string): string {
  return JSON.stringify(
    JSON.parse(body, (name, value: unknown): unknown => {
      if (fault === 'unknown_word' && STATUSES.has(name) && typeof value === 'string') return 'QUANTUM_STATE';
      if (!isMoney(value)) return value;
      if (fault === 'other_currency')
        return { ...value, currency_code: value.currency_code === 'EUR' ? 'USD' : 'EUR' };
      // A fee may be zero, which is no amount to read.
      if (fault !== 'other_amount' || /^[-0.]*$/.test(value.value)) return value;
      const { currency, minor } = readAmount({ ...value }, '');
      return moneyOf(currency, minor + 1);
    }),
  );
}

const isMoney = (value: unknown): value is { readonly currency_code: string; readonly value: string } =>
  typeof value === 'object' && value !== null && 'currency_code' in value && 'value' in value;
