import type { BenchOptions } from './benches.ts';
import { median, spread } from './statistics.ts';

/** The rate of each side in each round, in the order of the rounds. */
export type Turns = { readonly ours: readonly number[]; readonly limit: readonly number[] };

export type TurnsSettings = {
  readonly name: string;
  /** The rounds after the first, which warms up and does not count. */
  readonly rounds: number;
  /** Does the work of one round and returns its rate per second. */
  readonly ours: () => Promise<number>;
  readonly limit: () => Promise<number>;
  readonly options: BenchOptions;
};

/** Runs our side and the limit in turn, so that both meet the same machine. */
export async function takeTurns({ name, rounds, ours, limit, options }: TurnsSettings): Promise<Turns> {
  const measured = { ours: [] as number[], limit: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    const figures = { ours: await ours(), limit: await limit() };
    const which = round === 0 ? 'warm-up' : `round ${round} of ${rounds}`;
    options.progress(
      `${name}, ${which}: ${figures.ours.toFixed(0)} a second, limit ${figures.limit.toFixed(0)}`,
    );
    if (round === 0) continue;
    measured.ours.push(figures.ours);
    measured.limit.push(figures.limit);
  }
  return measured;
}

/** Formats both sides as medians with their ranges, and the ratio of the medians. */
export const rowOf = ({ ours, limit }: Turns): readonly string[] => [
  spread(ours),
  spread(limit),
  (median(ours) / median(limit)).toFixed(2),
];
