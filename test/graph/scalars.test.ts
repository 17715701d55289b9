import { describe, expect, it } from '@jest/globals';
import { parseValue } from 'graphql';
import { scalars } from '../../src/graph/scalars.ts';

const scalar = (name: string) => {
  const found = scalars[name];
  if (!found) throw new Error(`No scalar ${name}`);
  return found;
};

const entries = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));

describe('DateTime', () => {
  it.each([
    ['2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00.000Z'],
  ])('reads %s', (text, iso) => {
    expect(scalar('DateTime').parseValue(text)).toEqual(new Date(iso));
    expect(scalar('DateTime').parseLiteral(parseValue(`"${text}"`))).toEqual(new Date(iso));
  });

  it.each([
    'yesterday',
    '2026-01-31',
    '2026-02-30T00:00:00Z',
    '2026-01-31T09:30:00',
    1_769_851_800_000,
    null,
    {},
  ])('refuses %j', (value) => {
    expect(() => scalar('DateTime').parseValue(value)).toThrow(
      'DateTime must be an ISO 8601 date-time with offset',
    );
  });

  it.each([new Date('2026-01-31T09:30:00Z'), '2026-01-31T09:30:00.000Z', '2026-01-31T10:30:00+01:00'])(
    'shows %s in UTC with milliseconds',
    (value) => {
      expect(scalar('DateTime').serialize(value)).toBe('2026-01-31T09:30:00.000Z');
    },
  );

  it.each([new Date(Number.NaN), 'soon', 12, null])('does not show %s', (value) => {
    expect(() => scalar('DateTime').serialize(value)).toThrow('DateTime cannot show this value.');
  });
});

describe('StringMap', () => {
  it.each([{}, { a: 'b' }, entries(50), { ['k'.repeat(100)]: 'v'.repeat(500) }, { a: 'line\nline\ttab' }])(
    'reads a value within its limits',
    (value) => {
      expect(scalar('StringMap').parseValue(value)).toEqual(value);
    },
  );

  it.each<[unknown, string]>([
    ['text', 'must be an object'],
    [[['a', 'b']], 'must be an object'],
    [null, 'must be an object'],
    [{ a: 1 }, 'must be an object whose values are strings'],
    [{ a: null }, 'must be an object whose values are strings'],
    [{ a: { b: 'c' } }, 'must be an object whose values are strings'],
    [entries(51), 'at most 50 entries'],
    [{ '': 'v' }, 'keys must have 1 to 100 characters'],
    [{ ['k'.repeat(101)]: 'v' }, 'keys must have 1 to 100 characters'],
    [{ a: 'v'.repeat(501) }, 'values must have at most 500 characters'],
    [{ a: '\u0000' }, 'must not contain control characters'],
    [{ 'a\u0000': 'b' }, 'must not contain control characters'],
  ])('refuses %j', (value, reason) => {
    expect(() => scalar('StringMap').parseValue(value)).toThrow(reason);
  });

  it('reads a literal with variables, and omits missing ones', () => {
    const literal = parseValue('{ a: "x", b: $b, c: $c }');

    expect(scalar('StringMap').parseLiteral(literal, { b: 'y' })).toEqual({ a: 'x', b: 'y' });
  });

  it('accepts __proto__ as an ordinary key', () => {
    const map = scalar('StringMap').parseValue(JSON.parse('{"__proto__": "x"}')) as object;

    expect(Object.keys(map)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(map)).toBe(Object.prototype);
  });
});

describe('JSONObject', () => {
  const nested = (depth: number): object => (depth === 1 ? {} : { inner: nested(depth - 1) });

  it.each([{}, { a: [1.5, -0.5e-7, null, true, { 'b-c': 'line\nline' }, []], '': '' }, nested(20)])(
    'reads %j',
    (value) => {
      expect(scalar('JSONObject').parseValue(value)).toEqual(value);
    },
  );

  it.each<[unknown]>([
    ['text'],
    [1],
    [true],
    [null],
    [[]],
    [[{}]],
    [{ a: JSON.parse('1e400') as unknown }],
    [{ a: [Number.NaN] }],
    [{ a: new Date(0) }],
    [{ a: undefined }],
    [{ a: 1n }],
    [nested(21)],
    [{ a: new Map() }],
  ])('refuses a value that is no JSON object', (value) => {
    expect(() => scalar('JSONObject').parseValue(value)).toThrow(
      'JSONObject must be an object of JSON values',
    );
  });

  it('reads a literal with variables, omits missing ones, and has null for them in a list', () => {
    const literal = parseValue(
      '{ a: 1, b: 1.5, c: "x", d: true, e: null, f: [$f, $g], h: { i: $f, j: $g } }',
    );

    expect(scalar('JSONObject').parseLiteral(literal, { f: { k: [1] } })).toEqual({
      a: 1,
      b: 1.5,
      c: 'x',
      d: true,
      e: null,
      f: [{ k: [1] }, null],
      h: { i: { k: [1] } },
    });
  });

  it('accepts a literal before its variables are known', () => {
    expect(scalar('JSONObject').parseLiteral(parseValue('{ a: $a, b: [$b] }'))).toEqual({
      a: null,
      b: [null],
    });
  });

  it.each([
    '"text"',
    '1',
    '[]',
    '[{}]',
    'null',
    'WORD',
    '$a',
    '{ a: WORD }',
    '{ a: 1e400 }',
    '{ a: [{ b: WORD }] }',
  ])('refuses the literal %s', (text) => {
    expect(() => scalar('JSONObject').parseLiteral(parseValue(text), { a: 'text' })).toThrow(
      'JSONObject must be an object of JSON values',
    );
  });

  it('refuses a variable that is no JSON', () => {
    const literal = parseValue('{ at: $at }');

    expect(() => scalar('JSONObject').parseLiteral(literal, { at: new Date(0) })).toThrow(
      'JSONObject must be',
    );
  });

  it('accepts __proto__ as an ordinary name', () => {
    const read = [
      scalar('JSONObject').parseValue(JSON.parse('{"__proto__": {"a": 1}}')),
      scalar('JSONObject').parseLiteral(parseValue('{ __proto__: { a: 1 } }')),
    ];

    for (const value of read) {
      expect(Object.keys(value as object)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect((value as { a?: unknown }).a).toBeUndefined();
    }
  });
});

describe('SequenceNumber', () => {
  it.each([
    [0n, 0],
    [42, 42],
    [9_007_199_254_740_991n, 9_007_199_254_740_991],
  ])('shows %s', (value, shown) => {
    expect(scalar('SequenceNumber').serialize(value)).toBe(shown);
  });

  it.each([-1, 1.5, '1', 9_007_199_254_740_992, null])('refuses %j', (value) => {
    expect(() => scalar('SequenceNumber').parseValue(value)).toThrow('SequenceNumber must be a whole number');
  });
});

describe('MinorUnits', () => {
  it.each([0, -42, 9_007_199_254_740_991, -9_007_199_254_740_991])('shows %s', (value) => {
    expect(scalar('MinorUnits').serialize(value)).toBe(value);
  });

  it.each([1.5, '1', 9_007_199_254_740_992, null])('refuses %j', (value) => {
    expect(() => scalar('MinorUnits').parseValue(value)).toThrow('MinorUnits must be a whole number');
  });
});
