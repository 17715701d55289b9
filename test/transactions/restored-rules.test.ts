import { describe, expect, it } from '@jest/globals';
import { acceptedIn, linesOf, reasonIn } from '../../src/cli/restored/lines.ts';
import type { HoldProgress, ProvedService } from '../../src/modules/transactions/restored/progress.ts';
import { reasonsToHold, type HoldDoubt } from '../../src/modules/transactions/restored/reasons.ts';
import { proofOf } from '../../src/modules/transactions/sweep/proof.ts';

const STARTED = new Date('2026-05-01T12:00:00.000Z');

const HOLD = { startedAt: STARTED, restoredTo: STARTED, paymentsSince: STARTED };

const service = (state: ProvedService['state']): ProvedService => ({
  ...{ merchantAccountId: 'shop', paymentServiceId: 'one', displayName: 'Cards', definitionId: 'mock-card' },
  ...{ isDeleted: false, state, compared: 12, untold: 1, left: state === 'compared' ? 0 : 61 },
  unanswered: [],
});

const NEXT_AT = '2026-05-01T13:00:00+00:00';

/** A payment service of which everything is compared, but payments without an answer. */
const unanswered: ProvedService = {
  ...service('compared'),
  unanswered: [
    { cause: 'timeout', payments: 2, nextAt: NEXT_AT, transactionIds: ['one', 'two'] },
    { cause: 'unreadable', payments: 1, nextAt: null, transactionIds: ['three'] },
  ],
};

const progress = (change: Partial<HoldProgress> = {}): HoldProgress => ({
  hold: HOLD,
  ...{ unknown: 0, undecided: 0, undecidedSince: null, unsent: 0, giftCards: 0 },
  ...{ services: [service('compared')], reports: 0, differences: 0 },
  ...change,
});

describe('the reasons against the end of a hold', () => {
  it.each<[string, Partial<HoldProgress>, Readonly<Partial<Record<HoldDoubt, number>>>]>([
    ['everything is compared', {}, {}],
    ['nothing is there to compare', { services: [] }, {}],
    ['an operation has no outcome', { unknown: 1 }, { unknown: 1 }],
    ['a provider has accepted operations', { undecided: 2, undecidedSince: STARTED }, { undecided: 2 }],
    ['a payment has gift cards', { giftCards: 1 }, { unproven: 1 }],
    ['a payment was not sent', { unsent: 1 }, {}],
    ['payments are left', { services: [service('compared'), service('comparing')] }, { comparing: 61 }],
    ['the last round is left', { services: [{ ...service('comparing'), left: 0 }] }, { comparing: 0 }],
    ['reports are not booked', { reports: 1 }, { reports: 1 }],
    ['a difference is open', { differences: 1 }, { differences: 1 }],
    ['a provider tells no payment', { services: [service('unproven')], giftCards: 2 }, { unproven: 63 }],
    ['a provider gives no answer', { services: [unanswered, unanswered] }, { unanswered: 6 }],
    [
      'everything is open',
      {
        ...{ unknown: 1, undecided: 2, reports: 3, differences: 4 },
        services: [service('unproven'), { ...unanswered, state: 'comparing', left: 5 }],
      },
      {
        ...{
          unknown: 1,
          comparing: 5,
          reports: 3,
          differences: 4,
          undecided: 2,
          unanswered: 3,
          unproven: 61,
        },
      },
    ],
  ])('when %s', (_, change, counts) => {
    const reasons = reasonsToHold(progress(change));

    expect(reasons).toEqual(Object.entries(counts).map(([doubt, count]) => ({ doubt, count })));
  });

  it.each<[HoldDoubt, string]>([
    ['unanswered', '--accept-unanswered'],
    ['undecided', '--accept-undecided'],
    ['unproven', '--accept-unproven'],
    ['differences', '--anyway'],
  ])('%s: tell the number and the option that accepts it', (doubt, option) => {
    const text = reasonIn({ doubt, count: 17 });

    expect([text, text.match(/--(accept-\w+|anyway)/g)]).toEqual([
      expect.stringContaining(': 17.'),
      [option],
    ]);
    expect(acceptedIn({ doubt, count: 17 })).toMatch(/^Accepted: .+, 17\.$/);
  });
});

describe('the lines of a hold', () => {
  it.each<[ProvedService['state'], number, string]>([
    ['compared', 30, '  Cards of shop: 12 payments compared. The provider does not know 1 more.'],
    [
      'comparing',
      30,
      '  Cards of shop: 12 payments compared, 61 left. At 30 a minute, that takes 3 minutes or more. The provider does not know 1 more.',
    ],
    [
      'comparing',
      61,
      '  Cards of shop: 12 payments compared, 61 left. At 61 a minute, that takes 1 minute or more. The provider does not know 1 more.',
    ],
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

it('the lines tell payments without an answer, with the causes and the next try', () => {
  expect(linesOf(progress({ services: [unanswered] }), 30).slice(2, 4)).toEqual([
    '    Not compared: 2, because the provider did not answer in time. The next try is at 2026-05-01T13:00:00.000Z.',
    '    Not compared: 1, because the answer of the provider is not readable. No try is left.',
  ]);
});

it('the lines tell operations that wait for a decision, since the first acceptance', () => {
  expect(linesOf(progress({ undecided: 2, undecidedSince: STARTED }), 30)).toContain(
    'Operations that their providers accepted and have not decided: 2, the first since 2026-05-01T12:00:00.000Z.',
  );
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
