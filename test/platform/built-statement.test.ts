import { expect, it } from '@jest/globals';
import { built, createNames } from '../../src/platform/database/built-statement.ts';

const naming = () => {
  const named = createNames('test');
  return (text: string): string | null => named(built(() => text)).name;
};

it('numbers the values of a statement in their order', () => {
  const { text, values, name } = built((value) => `SELECT ${value('a')}, ${value(2)}`);

  expect({ text, values, name }).toEqual({ text: 'SELECT $1, $2', values: ['a', 2], name: null });
});

it('names a text when it comes again, and keeps the name', () => {
  const nameOf = naming();
  const first = nameOf('SELECT 1');
  const second = nameOf('SELECT 1');

  expect(first).toBeNull();
  expect(second).toBe('test_1');
  expect(nameOf('SELECT 1')).toBe(second);
});

it('gives 100 names at most, so that connections keep few plans', () => {
  const nameOf = naming();
  const texts = Array.from({ length: 300 }, (_, index) => `SELECT ${index + 2}`);
  texts.forEach(nameOf);

  const names = texts.map(nameOf).filter((name) => name !== null);

  expect(names).toHaveLength(100);
  expect(new Set(names).size).toBe(100);
});
