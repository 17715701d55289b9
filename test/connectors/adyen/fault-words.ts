import type { DoubleResponse, FaultWords } from '../double-server.ts';
import { FORBIDDEN, UNAUTHORIZED, refusal, type Answer } from './refusals.ts';

export const JSON_HEADERS = { 'content-type': 'application/json;charset=UTF-8' } as const;

export const textOf = ({ status, body }: Answer): DoubleResponse => ({
  status,
  headers: JSON_HEADERS,
  body: body === null ? '' : JSON.stringify(body),
});

/** The faults in Adyen's words. A server error is passing: the answer of a finished work stays under its key. */
export const faultWords: FaultWords = {
  serverError: () => ({
    ...textOf(refusal(500, '000', 'Internal error', 'internal')),
    headers: { ...JSON_HEADERS, 'transient-error': 'true' },
  }),
  rateLimited: (seconds) => ({
    ...textOf(refusal(429, '000', 'Too many requests', 'security')),
    headers: { ...JSON_HEADERS, ...(seconds === null ? {} : { 'retry-after': String(seconds) }) },
  }),
  unauthorized: () => textOf(UNAUTHORIZED),
  forbidden: () => textOf(FORBIDDEN),
  unknownWord: (response) =>
    changed(response, (body) => ('status' in body ? { status: 'perhaps' } : { resultCode: 'Perhaps' })),
  otherAmount: (response) =>
    changed(response, ({ amount }) => ({ amount: { ...amount, value: (amount?.value ?? 0) + 1 } })),
  otherCurrency: (response) =>
    changed(response, ({ amount }) => ({
      amount: { value: amount?.value ?? 0, currency: amount?.currency === 'XTS' ? 'XXX' : 'XTS' },
    })),
};

type Body = { readonly amount?: { readonly value: number; readonly currency: string } };

const changed = (response: DoubleResponse, change: (body: Body) => object): DoubleResponse => {
  const body = JSON.parse(response.body) as Body;
  return { ...response, body: JSON.stringify({ ...body, ...change(body) }) };
};
