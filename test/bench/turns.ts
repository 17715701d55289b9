import type { BenchOptions } from './benches.ts';
import { median, spread } from './statistics.ts';

/** The rate of each side in each round, in the order of the rounds. */
export type Turns = {
  readonly ours: readonly number[];
  readonly limit: readonly number[];
  /** By the name of the peer. */
  readonly peers: Readonly<Record<string, readonly number[]>>;
};

export type TurnsSettings = {
  readonly name: string;
  /** The rounds after the first, which warms up and does not count. */
  readonly rounds: number;
  /** Does the work of one round and returns its rate per second. */
  readonly ours: () => Promise<number>;
  readonly limit: () => Promise<number>;
  /** Other software that does the same work, by its name. */
  readonly peers?: Readonly<Record<string, () => Promise<number>>>;
  readonly options: BenchOptions;
};

/** Runs our side, the limit and the peers in turn, so that all meet the same machine. */
export async function takeTurns(settings: TurnsSettings): Promise<Turns> {
  const { name, rounds, ours, limit, peers = {}, options } = settings;
  const us = sideOf('Paygraph', ours);
  const bound = sideOf('limit', limit);
  const others = Object.entries(peers).map(([peer, work]) => sideOf(peer, work));
  for (let round = 0; round <= rounds; round += 1) {
    const figures: string[] = [];
    for (const side of [us, bound, ...others]) {
      const rate = await side.work();
      figures.push(`${side.name} ${rate.toFixed(0)}`);
      if (round > 0) side.rates.push(rate);
    }
    const which = round === 0 ? 'warm-up' : `round ${round} of ${rounds}`;
    options.progress(`${name} a second, ${which}: ${figures.join(', ')}`);
  }
  return {
    ours: us.rates,
    limit: bound.rates,
    peers: Object.fromEntries(others.map((peer) => [peer.name, peer.rates])),
  };
}

const sideOf = (name: string, work: () => Promise<number>) => ({ name, work, rates: [] as number[] });

/** Formats both sides as medians with their ranges, and the ratio of the medians. */
export const rowOf = ({ ours, limit }: Omit<Turns, 'peers'>): readonly string[] => [
  spread(ours),
  spread(limit),
  (median(ours) / median(limit)).toFixed(2),
];
