import { describe, expect, it } from '@jest/globals';
import { exitCodeOf, UsageError } from '../../src/cli/exit-code.ts';
import { eventLine } from '../../src/cli/service/event-line.ts';
import { cursorBefore } from '../../src/modules/events/index.ts';
import { encodeCursor } from '../../src/kernel/page.ts';
import { ConfigError } from '../../src/platform/process/config.ts';
import { wordsFor } from '../../src/platform/process/how-to-run.ts';
import { OperatorError } from '../../src/platform/operator-error.ts';

it.each([
  [true, 'token', '--expires 15m', 'paygraph token --expires 15m'],
  [true, 'start', '', 'paygraph start'],
  [false, 'token', '--expires 15m', 'npm run token -- --expires 15m'],
  [false, 'demo', '', 'npm run demo'],
  [false, 'start', '', 'npm start'],
])('packaged: %s, the command %s with "%s" runs as %s', (packaged, command, options, words) => {
  expect(wordsFor(packaged, command, options)).toBe(words);
});

it.each([
  [new UsageError('--expires: must be from 1s to 24h.'), 2],
  [new ConfigError('PORT: must be a whole number'), 2],
  [new OperatorError('The port is taken.'), 1],
  [new TypeError('x is not a function'), 1],
])('%s ends a command with the code %d', (error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});

describe('the place before the last events', () => {
  const at = (sequence: number, id = ''): string => encodeCursor(`feed.shop.${sequence}${id}`);

  it.each([
    [at(12, '.0191ca8f000070008000000000000017'), 10, at(2)],
    [at(12), 11, at(1)],
    [at(12), 12, null],
    [at(3), 10, null],
    ['no cursor', 1, null],
  ])('of %s, %d events before, is %s', (cursor, events, place) => {
    expect(cursorBefore(cursor, events)).toBe(place);
  });
});

it('an event is a line with its record, amount, status and error', () => {
  const target = { type: 'transaction', id: '0191', amount: 1299, currency: 'USD' };
  const payload = JSON.stringify({
    target: { ...target, status: 'declined', error_code: 'insufficient_funds' },
  });
  const event = { id: 'e', name: 'transaction.declined', sequence: 7, cursor: 'c', payload };

  expect(eventLine({ ...event, target, createdAt: '2026-03-01T09:30:12.000Z' })).toBe(
    '09:30:12     7  transaction.declined                    transaction 0191  1299 USD declined insufficient_funds',
  );
});
