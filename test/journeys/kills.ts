import { writeFile } from 'node:fs/promises';
import { readCommandLine, readWholeNumber } from '../support/command-line.ts';
import {
  openHarness,
  openPair,
  openSingle,
  type ConnectorClass,
  type Disaster,
  type Harness,
} from './kill-rounds.ts';
import { happened, killsReport, noKills, withRound } from './report.ts';

// `npm run kills -- --rounds 100 --stops 10` runs many rounds of payments under load. In some rounds Postgres is
// stopped immediately or fails over, in the others server processes are killed. The stops are spread evenly. Failovers come
// last, on a primary with a standby. Connectors of two classes take turns. `--report` writes KILLS.md beside this file.

const USAGE = `npm run kills -- [--rounds N] [--stops N] [--failovers N] [--report]

  --rounds N     rounds in which server processes are killed (100)
  --stops N      rounds in which Postgres is stopped (10)
  --failovers N  rounds in which the primary is lost and its standby promoted (10)
  --report       write test/journeys/KILLS.md

Examples:
  npm run kills
  npm run kills -- --rounds 500 --stops 50 --report
`;

const { values } = readCommandLine(USAGE, {
  rounds: { type: 'string', default: '100' },
  stops: { type: 'string', default: '10' },
  failovers: { type: 'string', default: '10' },
  report: { type: 'boolean', default: false },
});
const rounds = readWholeNumber('--rounds', values.rounds, 0);
const stops = readWholeNumber('--stops', values.stops, 0);
const failovers = readWholeNumber('--failovers', values.failovers, 0);
const total = rounds + stops + failovers;

const SHOWN_MAX = 20;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Alternates the class within each kind of disaster. */
const classOf = (disaster: Disaster): ConnectorClass =>
  happened(sums.keys, disaster) > happened(sums.lookup, disaster) ? 'lookup' : 'keys';

/** Spreads the stops at equal distances. Every third kill hits both processes. */
const disasterOf = (number: number): Disaster => {
  if (number > rounds + stops) return 'failover';
  const first = rounds + stops;
  if (Math.floor((number * stops) / first) > Math.floor(((number - 1) * stops) / first))
    return 'stop_postgres';
  return number % 3 === 0 ? 'kill_both' : 'kill';
};

const startedAt = performance.now();
/** The open harnesses, by the kind of database and the class of the connector. */
const open = new Map<string, Harness>();

const harnessFor = async (disaster: Disaster, connectorClass: ConnectorClass): Promise<Harness> => {
  const isFailover = disaster === 'failover';
  const key = `${isFailover ? 'pair' : 'single'} ${connectorClass}`;
  const harness = open.get(key) ?? (await openHarness(connectorClass, isFailover ? openPair : openSingle));
  open.set(key, harness);
  return harness;
};

let sums = { keys: noKills, lookup: noKills };
for (let number = 1; number <= total; number += 1) {
  const disaster = disasterOf(number);
  const connectorClass = classOf(disaster);
  const round = await (await harnessFor(disaster, connectorClass)).round([disaster]);
  sums = { ...sums, [connectorClass]: withRound(sums[connectorClass], disaster, round) };
  say(
    `round ${number} of ${total}, ${connectorClass}, ${disaster}: ${round.answered} operations answered, ${round.broken} requests broken, ` +
      `${round.left} left pending, all settled after ${seconds(round.restMs)} s, ${round.replays} replays, ${round.violations.length} violations`,
  );
  round.violations.slice(0, SHOWN_MAX).forEach((violation) => say(`  ${violation}`));
}
await Promise.all([...open.values()].map((harness) => harness.close()));
const durationMs = performance.now() - startedAt;
const { text, violations } = killsReport({ rounds, stops, failovers, durationMs, sums });
say(text);
if (values.report) await writeFile(new URL('KILLS.md', import.meta.url), text);
process.exitCode = violations > 0 ? 1 : 0;

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
