import type { Spoiling } from '../kit/account.ts';

const AMOUNTS = /^(amount|amount_capturable|amount_received|amount_captured)$/;

/** Returns an answer with a false word, currency or amount in every object of it. */
export function spoil(fault: Spoiling, body: string): string {
  return JSON.stringify(
    JSON.parse(body, (name, value: unknown): unknown => {
      if (fault === 'unknown_word' && name === 'status' && typeof value === 'string') return 'quantum_state';
      if (fault === 'other_currency' && name === 'currency') return value === 'eur' ? 'usd' : 'eur';
      if (fault === 'other_amount' && AMOUNTS.test(name) && typeof value === 'number' && value > 0)
        return value + 1;
      return value;
    }),
  );
}
