import type { BenchOptions } from './benches.ts';
import type { Place } from './database.ts';
import { deliveriesExtent, ENDPOINTS } from './events-deliveries.ts';
import { fanoutExtent, SOCKETS_EACH } from './events-fanout.ts';
import { EVENTS_PER_SECOND, latencySeconds, type EventLatencies } from './events-latency.ts';
import { BODY_BYTES } from './events-log.ts';
import { BATCH, relayExtent } from './events-relay.ts';
import { WRITERS, writesExtent } from './events-writes.ts';
import { table } from './results.ts';
import { TAIL, tailOf } from './statistics.ts';
import { rowOf, type Turns } from './turns.ts';

/** What one run of the bench measured. */
export type EventFigures = {
  readonly writes: Turns;
  readonly relay: Turns;
  readonly deliveries: Turns;
  readonly fanout: Turns;
  readonly latencies: ReadonlyMap<Place, EventLatencies>;
};

/** The figures as paragraphs and tables, each with what it was measured against. */
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
    'How many a second; median (lowest to highest) of rounds by turns with the limit, after one to warm up. Bodies have ' +
      `${BODY_BYTES} bytes. The limits: the same one-row changes without events, ${WRITERS} at once; marks moved in batches of ` +
      `${BATCH} into a table like the feed; bare \`node:http\` posts by two processes, 64 at once each, where two servers deliver ` +
      `to ${ENDPOINTS} endpoints and store every attempt; a bare \`ws\` broadcast to as many sockets, 500 of ten merchant ` +
      'accounts at one server. Wanted: deliveries at least 0.40, messages at least 0.50.',
    table(rows),
    describeLatencies(latencies, options),
  ];
}

const rounds = (count: number, each: number): string => `${count} of ${each}`;

function describeLatencies(latencies: EventFigures['latencies'], options: BenchOptions): string {
  const { measured } = latencySeconds(options);
  const rows = [...latencies].flatMap(([place, { webhook, subscriber, commits }]) => [
    [place, 'to the first byte of a webhook', ...tailOf(webhook)],
    [place, 'to a subscriber', ...tailOf(subscriber)],
    [place, 'one row by the bare driver', ...tailOf(commits)],
  ]);
  return (
    `Milliseconds from the return of COMMIT, in a process that runs no relay, at ${EVENTS_PER_SECOND} events a second of ten ` +
    `merchant accounts at random moments for ${measured} s: one endpoint and ${SOCKETS_EACH} subscribers of each account. In the ` +
    'same seconds, as many rows committed by the bare driver: the relay waits for the disk as they do. Wanted: p99 at most 200 ' +
    'to the webhook, 150 to a subscriber.\n\n' +
    table([['files in', '', 'number', ...TAIL], ...rows])
  );
}
