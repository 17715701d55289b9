import type { Spoiling } from '../kit/account.ts';

/** Returns an answer with a false word, currency or amount in every object of it. */
export function spoil(fault: Spoiling, body: string): string {
  if (!/^[[{]/.test(body)) return body;
  return JSON.stringify(
    JSON.parse(body, (name, value: unknown): unknown => {
      if (fault === 'unknown_word' && name === 'status') return 'Quantum State';
      if (fault === 'other_currency' && name === 'currency') return value === 'EUR' ? 'USD' : 'EUR';
      if (fault === 'other_amount' && name === 'amount' && typeof value === 'number') return value + 10;
      return value;
    }),
  );
}
