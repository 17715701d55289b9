import { circumstances, table } from '../bench/results.ts';
import { DEADLINE_MS, type ConnectorClass, type Disaster, type Round } from './kill-rounds.ts';
import type { RaceKind } from './race.ts';

/** The sums over all rounds at a connector of one class. */
export type Kills = Omit<Round, 'violations' | 'restMs'> & {
  readonly disasters: ReadonlyMap<string, number>;
  readonly violations: number;
  /** The longest time until no operation was pending, and the sum of these times. */
  readonly longestMs: number;
  readonly restMs: number;
};

export const noKills: Kills = {
  disasters: new Map(),
  faults: new Map(),
  answered: 0,
  broken: 0,
  left: 0,
  replays: 0,
  violations: 0,
  longestMs: 0,
  restMs: 0,
  outagesMs: [],
};

export const withRound = (sum: Kills, disaster: Disaster, round: Round): Kills => ({
  disasters: added(sum.disasters, [[disaster, 1]]),
  faults: added(sum.faults, round.faults),
  answered: sum.answered + round.answered,
  broken: sum.broken + round.broken,
  left: sum.left + round.left,
  replays: sum.replays + round.replays,
  violations: sum.violations + round.violations.length,
  longestMs: Math.max(sum.longestMs, round.restMs),
  restMs: sum.restMs + round.restMs,
  outagesMs: [...sum.outagesMs, ...round.outagesMs],
});

/** Counts the rounds with this disaster. */
export const happened = ({ disasters }: Kills, disaster: Disaster): number => disasters.get(disaster) ?? 0;

const DISASTERS: readonly Disaster[] = ['kill', 'kill_both', 'stop_postgres', 'failover'];

/** Adds one to the count of each name. */
export const added = (
  sum: ReadonlyMap<string, number>,
  more: Iterable<readonly [string, number]>,
): ReadonlyMap<string, number> => {
  const counts = new Map(sum);
  for (const [name, count] of more) counts.set(name, (counts.get(name) ?? 0) + count);
  return counts;
};

export type KillsRun = {
  readonly rounds: number;
  readonly stops: number;
  readonly failovers: number;
  readonly durationMs: number;
  readonly sums: Readonly<Record<ConnectorClass, Kills>>;
};

/** Builds the report of a run of kills, with the number of violations. */
export function killsReport({ rounds, stops, failovers, durationMs, sums }: KillsRun): {
  readonly text: string;
  readonly violations: number;
} {
  const violations = sums.keys.violations + sums.lookup.violations;
  const row = (name: string, of: (kills: Kills) => string): readonly string[] => [
    name,
    of(sums.keys),
    of(sums.lookup),
  ];
  const figures = [
    ['connector class', 'keys', 'lookup'],
    ...DISASTERS.map((disaster) =>
      row(`rounds with ${disaster}`, (kills) => count(happened(kills, disaster))),
    ),
    row('operations answered', ({ answered }) => count(answered)),
    row('requests broken', ({ broken }) => count(broken)),
    row('operations left pending by disasters', ({ left }) => count(left)),
    row('time to settle everything, mean', (kills) => seconds(kills.restMs / Math.max(1, roundsOf(kills)))),
    row('time to settle everything, longest', ({ longestMs }) => seconds(longestMs)),
    row('time from a promotion to the next payment, longest', ({ outagesMs }) =>
      outagesMs.length === 0 ? 'none' : seconds(Math.max(...outagesMs)),
    ),
    row('answers replayed and compared', ({ replays }) => count(replays)),
    row('violations', (kills) => count(kills.violations)),
  ];
  const faults = [...new Set([...sums.keys.faults.keys(), ...sums.lookup.faults.keys()])].sort();
  const went = faults.map((fault) => row(fault, (kills) => count(kills.faults.get(fault) ?? 0)));
  const text = `# The last long run of kills

${circumstances(`npm run kills -- --rounds ${rounds} --stops ${stops} --failovers ${failovers} --report`)}

${rounds} rounds with kills, ${stops} with immediate stops of Postgres and ${failovers} with failovers in ${seconds(durationMs)}: ${violations} violations.

In each round two server processes on one database authorise, capture, refund and void for eight clients. Then one of
four disasters happens:

- \`kill\`: \`kill -9\` ends one process.
- \`kill_both\`: \`kill -9\` ends both.
- \`stop_postgres\`: Postgres is stopped at once.
- \`failover\`: all processes of the primary are killed, and its synchronous standby is promoted.

After the restart nothing fails any more, and clients finish their payments. Everything must settle within 30 s. Then the
provider's books, columns, ledger, events and every answer must agree. Nothing may happen twice.

The provider's deadline is ${DEADLINE_MS} ms. Half of the rounds use a connector of the class \`keys\`, which repeats operations
under the same key. The other half use the class \`lookup\`: the provider remembers no key, and a look-up finds the
outcome. No connector here has the class \`none\`.

${table(figures)}

Faults at the provider:

${table([['fault', 'keys', 'lookup'], ...went])}
`;
  return { text, violations };
}

const roundsOf = ({ disasters }: Kills): number =>
  [...disasters.values()].reduce((sum, each) => sum + each, 0);

export type RacesRun = {
  readonly rounds: number;
  readonly durationMs: number;
  /** For each kind, the wins of each verb and the number of invalid ends. */
  readonly kinds: Readonly<
    Record<RaceKind, { readonly winners: ReadonlyMap<string, number>; readonly wrong: number }>
  >;
  /** Differences between the provider's books and the database. */
  readonly differences: number;
  readonly provider: { readonly thinksMs: number; readonly deadlineMs: number };
};

/** Builds the report of a run of races, with the number of violations. */
export function racesReport({ rounds, durationMs, kinds, differences, provider }: RacesRun): {
  readonly text: string;
  readonly violations: number;
} {
  const rows = Object.entries(kinds).map(([kind, { winners, wrong }]) => [
    kind,
    count(rounds),
    [...winners].map(([name, times]) => `${name} ${times}`).join(', '),
    count(wrong),
  ]);
  const wrong = Object.values(kinds).reduce((sum, kind) => sum + kind.wrong, 0);
  const text = `# The last long run of races

${circumstances(`npm run races -- --rounds ${rounds} --report`)}

${rounds * rows.length} races in ${seconds(durationMs)}: ${wrong} ended wrongly, with ${differences} differences between the provider's books and the database.

In each race two server processes on one database receive 50 requests at once. Each request is for 60 of a payment of 100:
refunds, captures, or captures and voids. One must win, and every other must be refused. Columns, ledger and the
provider's books must agree.

The connector has the class \`keys\`. Its provider makes no mistakes and answers within ${provider.thinksMs} ms. The deadline is ${provider.deadlineMs} ms.

${table([['race', 'rounds', 'won by', 'ended wrongly'], ...rows])}
`;
  return { text, violations: wrong + differences };
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Formats a count in groups of three digits. */
const count = (value: number): string => value.toLocaleString('en-GB').replaceAll(',', ' ');
