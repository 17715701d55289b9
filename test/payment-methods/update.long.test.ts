import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CARD, startStoredHarness, type Input, type StoredHarness } from './stored-harness.ts';

let harness: StoredHarness;

beforeAll(async () => {
  harness = await startStoredHarness();
});
afterAll(() => harness.stop());

const card = { instrument: { card: CARD } };

/** The state of a field in the input. */
type Given = 'omitted' | 'null' | 'set';
const GIVEN: readonly Given[] = ['omitted', 'null', 'set'];

/** The stored schemeTransactionId and its scheme. Null means refused. */
type Scheme = readonly [id: string | null, scheme: string | null] | null;

/** The result for a VISA card: `fresh` without earlier values, or with the id `old` of MASTERCARD. */
const SCHEMES: readonly (readonly [id: Given, scheme: Given, fresh: Scheme, known: Scheme])[] = [
  ['omitted', 'omitted', [null, null], ['old', 'MASTERCARD']],
  ['omitted', 'null', null, null],
  ['omitted', 'set', [null, 'AMEX'], ['old', 'AMEX']],
  ['null', 'omitted', [null, null], [null, null]],
  ['null', 'null', [null, null], [null, null]],
  ['null', 'set', [null, null], [null, null]],
  ['set', 'omitted', ['new', 'VISA'], ['new', 'MASTERCARD']],
  ['set', 'null', null, null],
  ['set', 'set', ['new', 'AMEX'], ['new', 'AMEX']],
];

const field = (name: string, given: Given, value: string): Input =>
  given === 'omitted' ? {} : { [name]: given === 'null' ? null : value };

const ROWS = GIVEN.flatMap((expiry) =>
  SCHEMES.flatMap(([id, scheme, fresh, known]) => [
    { expiry, id, scheme, before: 'fresh', after: fresh } as const,
    { expiry, id, scheme, before: 'known', after: known } as const,
  ]),
);

describe('the three fields of an update', () => {
  it('are tested in every combination', () => {
    expect(new Set(ROWS.map(({ expiry, id, scheme }) => `${expiry} ${id} ${scheme}`)).size).toBe(27);
  });

  it.each(ROWS)(
    'expirationDate $expiry, schemeTransactionId $id, its scheme $scheme, of a $before one',
    async ({ expiry, id, scheme, before, after }) => {
      const { id: stored } = await harness.stored(card);
      const known = { schemeTransactionId: 'old', schemeTransactionIdScheme: 'MASTERCARD' };
      if (before === 'known') await harness.update(stored, known);
      const was = await harness.read(stored);
      const refused = [
        ...(expiry === 'null' ? ['input.expirationDate'] : []),
        ...(after === null ? ['input.schemeTransactionIdScheme'] : []),
      ];

      const { paymentMethod, userErrors } = await harness.update(stored, {
        ...field('expirationDate', expiry, '01/41'),
        ...field('schemeTransactionId', id, 'new'),
        ...field('schemeTransactionIdScheme', scheme, 'AMEX'),
      });

      const now = await harness.read(stored);
      expect(userErrors.map(({ code, path }) => [code, path.join('.')])).toEqual(
        refused.map((path) => ['INVALID_INPUT', path]),
      );
      if (refused.length > 0 || after === null) {
        expect([paymentMethod, now]).toEqual([null, was]);
        return;
      }
      const changed = { schemeTransactionId: after[0], schemeTransactionIdScheme: after[1] };
      const expirationDate = expiry === 'set' ? '01/41' : '12/40';
      expect(now).toEqual({ ...was, ...changed, expirationDate, updatedAt: now?.['updatedAt'] });
      expect(paymentMethod).toEqual(now);
    },
  );
});
