import { describe, expect, it } from '@jest/globals';
import { linesOf } from '../../src/cli/restored/lines.ts';
import {
  reasonsToHold,
  type HoldProgress,
  type ProvedService,
} from '../../src/modules/transactions/restored/progress.ts';
import { proofOf } from '../../src/modules/transactions/sweep/proof.ts';

const STARTED = new Date('2026-05-01T12:00:00.000Z');

const HOLD = { startedAt: STARTED, restoredTo: STARTED, paymentsSince: STARTED };

const service = (state: ProvedService['state']): ProvedService => ({
  ...{ merchantAccountId: 'shop', paymentServiceId: 'one', displayName: 'Cards', definitionId: 'mock-card' },
  ...{ isDeleted: false, state, compared: 12, untold: 1, left: state === 'compared' ? 0 : 61 },
});

const progress = (change: Partial<HoldProgress> = {}): HoldProgress => ({
  hold: HOLD,
  ...{ undecided: 0, unsent: 0, giftCards: 0, services: [service('compared')], reports: 0, differences: 0 },
  ...change,
});

describe('the reasons against the end of a hold', () => {
  it.each<[string, Partial<HoldProgress>, readonly string[]]>([
    ['everything is compared', {}, []],
    ['nothing is there to compare', { services: [] }, []],
    ['an operation has no outcome', { undecided: 1 }, ['undecided']],
    ['a payment has gift cards', { giftCards: 1 }, ['unproven']],
    ['a payment was not sent', { unsent: 1 }, []],
    ['payments are left', { services: [service('compared'), service('comparing')] }, ['comparing']],
    ['reports are not booked', { reports: 1 }, ['reports']],
    ['a difference is open', { differences: 1 }, ['differences']],
    ['a provider tells no payment', { services: [service('unproven')] }, ['unproven']],
    [
      'everything is open',
      { undecided: 1, services: [service('unproven'), service('comparing')], reports: 2, differences: 3 },
      ['undecided', 'comparing', 'reports', 'differences', 'unproven'],
    ],
  ])('when %s', (_, change, reasons) => {
    expect(reasonsToHold(progress(change))).toEqual(reasons);
  });
});

describe('the lines of a hold', () => {
  it.each<[ProvedService['state'], number, string]>([
    ['compared', 30, '  Cards of shop: 12 payments compared. The provider does not know 1 more.'],
    ['comparing', 30, '  Cards of shop: 12 payments compared, 61 left. The provider does not know 1 more.'],
    [
      'comparing',
      0,
      '  Cards of shop: 12 payments compared, 61 left. PAYGRAPH_BOOKS_CALLS_PER_MINUTE is 0, so nothing is compared. The provider does not know 1 more.',
    ],
    ['unproven', 30, '  Cards of shop: not proven, 61 payments to compare by hand.'],
  ])('tell a payment service that is %s at %d calls a minute', (state, perMinute, line) => {
    expect(linesOf(progress({ services: [service(state)] }), perMinute)[1]).toBe(line);
  });
});

it('the lines tell payments that only a person can compare', () => {
  const lines = linesOf(progress({ giftCards: 2, unsent: 3 }), 30);

  expect(lines).toContain('  Gift cards: not proven, 2 payments to compare by hand.');
  expect(lines).toContain(
    'Payments that were not sent before the backup: 3. Look for each at its provider before the end.',
  );
});

describe('the progress of the comparison', () => {
  it('goes on in its hold, and begins anew in another one', () => {
    const begun = proofOf(null, HOLD);
    const later = { ...begun, compared: 5, isDone: true };

    expect(begun).toMatchObject({ compared: 0, isDone: false, place: { at: 'infinity' } });
    expect(proofOf(later, HOLD)).toBe(later);
    expect(proofOf(later, { ...HOLD, startedAt: new Date(STARTED.getTime() + 1) })).toMatchObject({
      ...{ compared: 0, isDone: false },
    });
  });
});
