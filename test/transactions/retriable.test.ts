import { expect, test } from '@jest/globals';
import { isRetriableDecline, retriableDeclines } from '../../src/connectors/codes/decline-codes.ts';
import { refusalsByAmount } from '../../src/connectors/sandbox/simulator/error-codes.ts';

/** The amounts with a retriable decline, and their codes. */
const MARKED = [
  [200007, 'incorrect_country'],
  [200008, 'incorrect_currency'],
  [200012, 'issuer_decline'],
  [200013, 'other_decline'],
  [200016, 'service_decline'],
];

test('the retriable declines are the declines of the simulator at the marked amounts', () => {
  const declines = [...refusalsByAmount.authorize].filter(([, { kind }]) => kind === 'declined');
  const retriable = declines.filter(([, { errorCode }]) => isRetriableDecline(errorCode));

  expect(declines).toHaveLength(15);
  expect(retriable.map(([amount, { errorCode }]) => [amount, errorCode])).toEqual(MARKED);
  expect([...retriableDeclines].toSorted()).toEqual(MARKED.map(([, code]) => code));
});

test('no technical failure and no unknown code is a retriable decline', () => {
  const failures = [...refusalsByAmount.authorize.values()].filter(({ kind }) => kind === 'failed');

  expect(failures.filter(({ errorCode }) => isRetriableDecline(errorCode))).toEqual([]);
  for (const code of ['', 'insufficient_funds', 'constructor', 'ISSUER_DECLINE']) {
    expect(isRetriableDecline(code)).toBe(false);
  }
});
