import { describe, expect, it } from '@jest/globals';
import { isoOf, readMoment } from '../../src/kernel/moment.ts';

const TEXTS = [
  '2026-01-31T09:30:00.000Z',
  '2026-01-31T23:59:59.999Z',
  '2026-02-01T00:00:00.000Z',
  '2026-01-31T09:05:07.008Z',
  '2026-01-31T09:05:07.080Z',
  '2024-02-29T12:34:56.789Z',
  '1970-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00.001Z',
  '9999-12-31T23:59:59.999Z',
  '+010000-01-01T00:00:00.000Z',
  '-000001-12-31T00:00:00.000Z',
];

describe('a moment', () => {
  it.each(TEXTS)('%s is written as ISO text', (text) => {
    expect(isoOf(new Date(text))).toBe(text);
  });

  it('that is invalid is refused like by the language', () => {
    expect(() => isoOf(new Date(Number.NaN))).toThrow(RangeError);
  });

  it.each([
    ['2026-01-31 09:30:00+00', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31 09:30:00.1+00', '2026-01-31T09:30:00.100Z'],
    ['2026-01-31 23:59:59.05+00', '2026-01-31T23:59:59.050Z'],
    ['2024-02-29 09:05:07.008+00', '2024-02-29T09:05:07.008Z'],
    ['2026-01-31 09:05:07.123999+00', '2026-01-31T09:05:07.123Z'],
    ['1969-12-31 23:59:59.999+00', '1969-12-31T23:59:59.999Z'],
    ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
  ])('is read from %s', (text, expected) => {
    expect(readMoment(text)?.toISOString()).toBe(expected);
  });

  it.each([
    'infinity',
    '-infinity',
    '2026-01-31 09:30:00+01',
    '2026-01-31 09:30:00.123456+05:30',
    '0044-03-15 12:00:00+00 BC',
    '10000-01-01 00:00:00+00',
    '2026-01-31',
  ])('in the form %s is left to the driver', (text) => {
    expect(readMoment(text)).toBeNull();
  });
});
