import type { Spoiling } from '../kit/account.ts';

/** Returns an answer with a false word, currency or amount in every object of it. */
export function spoil(fault: Spoiling, body: string): string {
  if (body === '') return body;
  return JSON.stringify(
    JSON.parse(body, (name, value: unknown): unknown => {
      if (fault === 'unknown_word' && name === 'status' && typeof value === 'string') return 'quantum_state';
      if (!isMoney(value)) return value;
      if (fault === 'other_currency') return { ...value, currency: value.currency === 'EUR' ? 'USD' : 'EUR' };
      return fault === 'other_amount' ? { ...value, value: (Number(value.value) + 1).toFixed(2) } : value;
    }),
  );
}

const isMoney = (value: unknown): value is { readonly currency: string; readonly value: string } =>
  typeof value === 'object' && value !== null && 'currency' in value && 'value' in value;
