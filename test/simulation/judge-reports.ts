import type { Evidence, Violation } from './judge.ts';

/** Checks that the sums of the reports have every fact, and that they fit the ledger in each dimension. */
export function judgeReports({
  state: { misreported, miscounted, misbinned, misbought, uncounted },
}: Evidence): Violation[] {
  const broken = [
    ...(uncounted > 0 ? [`${uncounted} facts are in no sum`] : []),
    ...misreported.map(
      ({ merchant, dimension, grain, currency, kept, ledger }) =>
        `${merchant} ${currency} by ${dimension} and ${grain} sums to ${kept}, and the ledger to ${ledger}`,
    ),
    ...miscounted.map(
      ({ merchant, dimension, grain, currency, kept, ledger }) =>
        `${merchant} ${currency} by ${dimension} and ${grain} counts ${kept}, and its payments and refusals are ${ledger}`,
    ),
    ...misbinned.map(
      ({ merchant, dimension, grain, currency, bins, kept, ledger }) =>
        `${merchant} ${currency} by ${dimension} and ${grain} has ${bins} ${kept}, and its authorisations are ${ledger}`,
    ),
    ...misbought.map(
      ({ merchant, grain, currency, buyer, kept, ledger }) =>
        `the captures of buyer ${buyer} of ${merchant} in ${currency} by ${grain} are ${kept}, and in the ledger ${ledger}`,
    ),
  ];
  return broken.map((message) => ({ kind: 'reports', message }));
}
