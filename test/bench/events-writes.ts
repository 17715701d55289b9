import type { BenchOptions } from './benches.ts';
import { change, changeWithEvent, openClients, type BareStatement } from './events-log.ts';
import { takeTurns, type Turns } from './turns.ts';

/** The number of concurrent statements, each on a separate connection. */
export const WRITERS = 16;

export const writesExtent = ({ quick }: BenchOptions) =>
  quick ? { rounds: 1, writes: 500 } : { rounds: 7, writes: 10_000 };

/** Measures changes a second with their events, and the same changes without events. */
export async function measureWrites(
  url: string,
  accounts: readonly string[],
  options: BenchOptions,
): Promise<Turns> {
  const { rounds, writes } = writesExtent(options);
  const clients = await openClients(url, WRITERS);
  const run = async (statementFor: (account: string) => BareStatement): Promise<number> => {
    const queue = Array.from(
      { length: writes },
      (_, index) => accounts[index % accounts.length] ?? '',
    ).values();
    const startedAt = performance.now();
    await Promise.all(
      clients.map(async (client) => {
        for (const account of queue) await client.query(statementFor(account));
      }),
    );
    return writes / ((performance.now() - startedAt) / 1_000);
  };
  const turns = await takeTurns({
    name: 'writes',
    rounds,
    ours: () => run((account) => changeWithEvent(account).statement),
    limit: () => run(change),
    options,
  });
  await Promise.all(clients.map((client) => client.end()));
  return turns;
}
