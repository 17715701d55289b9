import type { Spoiling } from '../kit/account.ts';

/** Returns an answer with a false word, currency or amount in every object of it. */
export const spoil = (fault: Spoiling, body: string): string =>
  JSON.stringify(
    JSON.parse(body, (name, value: unknown): unknown => {
      if (fault === 'unknown_word' && name === 'status') return 'QUANTUM_STATE';
      if (fault === 'other_currency' && name === 'currencyCode') return value === 'USD' ? 'EUR' : 'USD';
      if (fault === 'other_amount' && name === 'value') return (Number(value) + 1).toFixed(2);
      return value;
    }),
  );
