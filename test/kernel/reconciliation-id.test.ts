import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { reconciliationIdOf, uuidOf } from '../../src/kernel/reconciliation-id.ts';

describe('a reconciliation id', () => {
  it.each([
    ['00000000-0000-0000-0000-000000000000', '0000000000000000000000'],
    ['00000000-0000-0000-0000-000000000001', '0000000000000000000001'],
    ['00000000-0000-0000-0000-00000000003d', '000000000000000000000z'],
    ['00000000-0000-0000-0000-00000000003e', '0000000000000000000010'],
    ['01900000-0000-7000-8000-000000000000', '02wndAAHBC95f4Al8rNFlA'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7n42DGM5Tflk9n8mt7Fhc7'],
  ])('of %s is %s, and leads back', (uuid, id) => {
    expect(reconciliationIdOf(uuid)).toBe(id);
    expect(uuidOf(id)).toBe(uuid);
  });

  it('is 22 letters and digits, leads back to its UUID, and sorts as that does', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (a, b) => {
        expect(reconciliationIdOf(a)).toMatch(/^[0-9A-Za-z]{22}$/);
        expect(uuidOf(reconciliationIdOf(a))).toBe(a);
        expect(reconciliationIdOf(a) < reconciliationIdOf(b)).toBe(a < b);
      }),
    );
  });

  it('is the same however the UUID is written', () => {
    const uuid = '0198C1D2-ABCD-7000-8000-00000000FFFF';

    expect(reconciliationIdOf(uuid)).toBe(reconciliationIdOf(uuid.toLowerCase()));
  });

  it.each([
    '',
    '0',
    '000000000000000000000',
    '00000000000000000000000',
    '000000000000000000000-',
    '000000000000000000000é',
    // One more than the largest UUID.
    '7n42DGM5Tflk9n8mt7Fhc8',
    'zzzzzzzzzzzzzzzzzzzzzz',
    '01900000-0000-7000-8000-000000000000',
  ])('is not %j', (text) => {
    expect(uuidOf(text)).toBeNull();
  });
});
