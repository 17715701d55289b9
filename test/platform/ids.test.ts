import { expect, it } from '@jest/globals';
import { isUuid, systemIds } from '../../src/platform/ids.ts';

it('makes UUIDs of version 7 that sort in the order of their making', () => {
  const ids = Array.from({ length: 2_000 }, () => systemIds.uuid());

  expect(ids.every(isUuid)).toBe(true);
  expect(ids.map((id) => id.charAt(14))).toEqual(ids.map(() => '7'));
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});
