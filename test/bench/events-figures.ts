import packageJson from '../../package.json' with { type: 'json' };
import type { BenchOptions } from './benches.ts';
import type { Place } from './database.ts';
import { deliveriesExtent, ENDPOINTS } from './events-deliveries.ts';
import { fanoutExtent, SOCKETS_EACH } from './events-fanout.ts';
import { EVENTS_PER_SECOND, latencySeconds, type EventLatencies } from './events-latency.ts';
import { BODY_BYTES } from './events-log.ts';
import { BATCH, relayExtent } from './events-relay.ts';
import { WRITERS, writesExtent } from './events-writes.ts';
import { table } from './results.ts';
import { spread, TAIL, tailOf } from './statistics.ts';
import { rowOf, type Turns } from './turns.ts';

/** The measurements of one run. */
export type EventFigures = {
  readonly writes: Turns;
  readonly relay: Turns;
  readonly deliveries: Turns;
  readonly fanout: Turns;
  readonly latencies: ReadonlyMap<Place, EventLatencies>;
};

/** Formats the figures as paragraphs and tables, each with its limit. */
export function describeEvents(figures: EventFigures, options: BenchOptions): readonly string[] {
  const { writes, relay, deliveries, fanout, latencies } = figures;
  const of = {
    writes: writesExtent(options),
    relay: relayExtent(options),
    deliveries: deliveriesExtent(options),
    fanout: fanoutExtent(options),
  };
  const rows = [
    ['', 'Paygraph', 'limit', 'ratio', 'rounds'],
    ['changes with their events', ...rowOf(writes), rounds(of.writes.rounds, of.writes.writes)],
    ['events through the relay', ...rowOf(relay), rounds(of.relay.rounds, of.relay.events)],
    ['deliveries', ...rowOf(deliveries), rounds(of.deliveries.rounds, of.deliveries.events * ENDPOINTS)],
    [
      'messages to subscribers',
      ...rowOf(fanout),
      rounds(of.fanout.rounds, of.fanout.events * SOCKETS_EACH * 10),
    ],
  ];
  return [
    'The rates per second are medians (lowest to highest). Rounds alternate with the limit, after one round to warm up. ' +
      `Bodies have ${BODY_BYTES} bytes.`,
    table([
      ['', 'limit', 'wanted ratio'],
      ['changes with their events', `the same one-row changes without events, ${WRITERS} at once`, ''],
      ['events through the relay', `marks moved in batches of ${BATCH} into a table like the feed`, ''],
      ['deliveries', 'bare `node:http` posts by two processes, 64 at once each', 'at least 0.40'],
      ['messages to subscribers', 'a bare `ws` broadcast to as many sockets', 'at least 1.00'],
    ]),
    `Two servers deliver to ${ENDPOINTS} endpoints and store every attempt. One server has 500 sockets of ten merchant accounts.`,
    table(rows),
    describeQueues(deliveries),
    describeLatencies(latencies, options),
  ];
}

const rounds = (count: number, each: number): string => `${count} of ${each}`;

function describeQueues({ ours, peers }: Turns): string {
  const rows = Object.entries(peers).map(([name, rates]) => [
    name,
    ...rowOf({ ours, limit: rates }).slice(1),
  ]);
  return (
    `The job queues ${Object.keys(peers).map(withVersion).join(' and ')} make the same posts in the same rounds. Each has two ` +
    'processes with 64 jobs at once. Each delivery is one job. The same Postgres stores each job and its completion ' +
    'with the same durability. Both fetch and complete jobs in batches. Wanted: at least 2.00 times the rate of each.\n\n' +
    table([['', 'deliveries a second', 'Paygraph as a multiple'], ['Paygraph', spread(ours), ''], ...rows])
  );
}

/** The versions are exact, so the manifest says which ones are installed. */
const versions = new Map(Object.entries(packageJson.devDependencies));
const withVersion = (name: string): string => `${name} ${versions.get(name)}`;

function describeLatencies(latencies: EventFigures['latencies'], options: BenchOptions): string {
  const { measured } = latencySeconds(options);
  const rows = [...latencies].flatMap(([place, { webhook, subscriber, commits }]) => [
    [place, 'to the first byte of a webhook', ...tailOf(webhook)],
    [place, 'to a subscriber', ...tailOf(subscriber)],
    [place, 'one row by the bare driver', ...tailOf(commits)],
  ]);
  return (
    `Milliseconds from the return of COMMIT, in a process without a relay. For ${measured} s, ${EVENTS_PER_SECOND} events a second of ` +
    `ten merchant accounts are committed at random moments. Each account has one endpoint and ${SOCKETS_EACH} subscribers. ` +
    'In the same seconds the bare driver commits as many rows, which wait for the disk like the relay. Wanted: p99 at most ' +
    '200 to the webhook, 150 to a subscriber.\n\n' +
    table([['files in', '', 'number', ...TAIL], ...rows])
  );
}
