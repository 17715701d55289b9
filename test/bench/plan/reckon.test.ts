import { describe, expect, it } from '@jest/globals';
import { endsOf, perDayOf, planFor } from './reckon.ts';

const OF_PAYMENT = {
  ...{ apiMs: 6, workerMs: 3, postgresMs: 12, walBytes: 40_000, events: 3 },
  wal: { atRest: 2_000_000, few: { payments: 35, bytesEach: 100_000 }, many: 1_000 },
  diskBytes: { ever: 10_000, events: 6_000, keys: 2_000, audit: 4_000 },
};
const DAYS = { events: 90, keys: 30, audit: 400 };

describe('the plan', () => {
  it('has the cores of the busiest second, each busy for 60 %', () => {
    const plan = planFor(8_640_000, OF_PAYMENT, DAYS);

    expect(plan).toMatchObject({ perSecond: 1_000, apis: 10, workers: 5, cores: 20 });
  });

  it('has two of each at least', () => {
    expect(planFor(864, OF_PAYMENT, DAYS)).toMatchObject({ apis: 2, workers: 2, cores: 2, memoryGb: 2 });
  });

  it('keeps each row for its time', () => {
    const plan = planFor(1_000_000, OF_PAYMENT, DAYS);

    expect(plan.memoryGb).toBeCloseTo(22);
    expect(plan.diskGb).toBeCloseTo(10 * 365 + 6 * 90 + 2 * 30 + 4 * 365);
    expect(plan.furtherGb).toBeCloseTo(10 * 365);
  });
});

describe('the log of a day', () => {
  const mbPerCheckpoint = (payments: number): number =>
    (planFor(payments * 288, OF_PAYMENT, DAYS).walGbPerDay * 1_000) / 288;

  it.each([
    [0, 2],
    [10, 2 + 1],
    [35, 2 + 3.5],
    [517.5, 2 + (3.5 + 40) / 2],
    [1_000, 2 + 40],
    [2_000, 2 + 80],
  ])('has with %d payments between checkpoints %d MB for each checkpoint', (payments, mb) => {
    expect(mbPerCheckpoint(payments)).toBeCloseTo(mb, 6);
  });
});

describe('the end of one Postgres', () => {
  it('is the part with the fewest payments a second', () => {
    expect(endsOf(OF_PAYMENT, 10_000)).toEqual([
      { part: 'the relay', perSecond: 2_000 },
      { part: 'processors of Postgres', perSecond: 3_200 },
    ]);
    expect(endsOf(OF_PAYMENT, 100_000)[0]?.part).toBe('processors of Postgres');
  });

  it('is as many payments a day as have that peak', () => {
    expect(perDayOf(planFor(1_000_000, OF_PAYMENT, DAYS).perSecond)).toBeCloseTo(1_000_000);
  });
});
