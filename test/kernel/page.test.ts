import { describe, expect, it, test } from '@jest/globals';
import {
  decodeCursor,
  encodeCursor,
  notACursor,
  parsePage,
  parsePosition,
  positionKey,
  toPage,
  type PageRequest,
} from '../../src/kernel/page.ts';

const CURSOR = encodeCursor('key');
const refusal = (path: string, message: string) => ({
  ok: false,
  refusals: [{ kind: 'InvalidInput', path: [path], message }],
});

describe('the arguments of a list', () => {
  it.each([
    [{}, { direction: 'forward', limit: 20, cursor: null }],
    [
      { first: null, after: null, last: null, before: null },
      { direction: 'forward', limit: 20, cursor: null },
    ],
    [{ first: 1 }, { direction: 'forward', limit: 1, cursor: null }],
    [
      { first: 100, after: CURSOR },
      { direction: 'forward', limit: 100, cursor: 'key' },
    ],
    [{ after: CURSOR }, { direction: 'forward', limit: 20, cursor: 'key' }],
    [{ last: 5 }, { direction: 'backward', limit: 5, cursor: null }],
    [
      { last: 5, before: CURSOR },
      { direction: 'backward', limit: 5, cursor: 'key' },
    ],
    [{ before: CURSOR }, { direction: 'backward', limit: 20, cursor: 'key' }],
  ])('%j are a page', (given, page) => {
    expect(parsePage(given)).toEqual({ ok: true, value: page });
  });

  it.each([
    [{ first: 1, last: 1 }],
    [{ first: 1, before: CURSOR }],
    [{ after: CURSOR, last: 1 }],
    [{ after: CURSOR, before: CURSOR }],
  ])('%j are refused, because they have two directions', (given) => {
    expect(parsePage(given)).toEqual(refusal('first', 'Give first and after, or last and before, not both.'));
  });

  it.each([
    [{ first: 0 }, 'first', 'Must be 1 to 100.'],
    [{ first: 101 }, 'first', 'Must be 1 to 100.'],
    [{ last: 0 }, 'last', 'Must be 1 to 100.'],
    [{ last: 101 }, 'last', 'Must be 1 to 100.'],
    [{ after: 'key' }, 'after', 'Must be a cursor of this list.'],
    [{ before: 'key' }, 'before', 'Must be a cursor of this list.'],
    [{ after: '' }, 'after', 'Must be a cursor of this list.'],
  ])('%j are refused', (given, path, message) => {
    expect(parsePage(given)).toEqual(refusal(path, message));
  });
});

describe('a cursor', () => {
  it.each(['key', 'a b c', 'ü', '0'])('of %s leads back to its key', (key) => {
    expect(encodeCursor(key)).toMatch(/^c1\.[\w-]+$/);
    expect(decodeCursor(encodeCursor(key))).toBe(key);
  });

  it.each(['', 'c1.', 'key', 'c2.a2V5', `${CURSOR}=`, `${CURSOR} `, 'c1.a2V5!', 'xc1.a2V5'])(
    'is not "%s"',
    (text) => {
      expect(decodeCursor(text)).toBeNull();
    },
  );
});

test.each<[direction: PageRequest['direction'], cursor: string | null, rows: string, page: object]>([
  ['forward', null, 'abc', { items: ['a', 'b'], hasNextPage: true, hasPreviousPage: false }],
  ['forward', 'x', 'abc', { items: ['a', 'b'], hasNextPage: true, hasPreviousPage: true }],
  ['forward', null, 'ab', { items: ['a', 'b'], hasNextPage: false, hasPreviousPage: false }],
  ['forward', null, '', { items: [], hasNextPage: false, hasPreviousPage: false }],
  ['backward', null, 'abc', { items: ['b', 'a'], hasNextPage: false, hasPreviousPage: true }],
  ['backward', 'x', 'ab', { items: ['b', 'a'], hasNextPage: true, hasPreviousPage: false }],
])('a page of two %s from %s with the rows "%s" is %j', (direction, cursor, rows, page) => {
  expect(toPage({ direction, limit: 2, cursor }, rows.split(''))).toEqual(page);
});

describe('a position in a sorted list', () => {
  const request = (cursor: string | null, direction: PageRequest['direction'] = 'forward'): PageRequest => ({
    direction,
    limit: 20,
    cursor,
  });
  const position = { sort: 'amount', value: '7', id: 'a' };

  it('is null without a cursor', () => {
    expect(parsePosition(request(null), 'amount')).toEqual({ ok: true, value: null });
  });

  it('leads back from its key', () => {
    expect(positionKey(position)).toBe('amount 7 a');
    expect(parsePosition(request(positionKey(position)), 'amount')).toEqual({ ok: true, value: position });
  });

  it.each([
    ['forward', 'after'],
    ['backward', 'before'],
  ] as const)('of another sort is refused (%s)', (direction, path) => {
    const message =
      'The cursor comes from another sort. Give the same sort again, or start without a cursor.';
    expect(parsePosition(request('created_at 7 a', direction), 'amount')).toEqual(refusal(path, message));
  });

  it.each(['', 'amount', 'amount 7', 'amount 7 ', 'amount  a', ' 7 a', 'amount 7 a more'])(
    'is not "%s"',
    (key) => {
      expect(parsePosition(request(key), 'amount')).toEqual(
        refusal('after', 'Must be a cursor of this list.'),
      );
      expect(notACursor(request(key, 'backward')).path).toEqual(['before']);
    },
  );
});
