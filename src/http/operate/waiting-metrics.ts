import { Gauge, type Registry } from 'prom-client';
import type { App } from '../../app.ts';
import type { CountedRows } from '../../platform/database/counted-rows.ts';
import type { Figures, ReadFigures } from './database-figures.ts';

type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

type Waiting = {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly samplesOf: (figures: Figures, now: Date) => readonly Sample[];
};

/**
 * Registers the metrics of work that waits in the database, of the whole service. They are absent from an answer while the
 * database does not tell them.
 */
export function registerWaitingMetrics(app: App, registry: Registry, read: ReadFigures): void {
  const registers = [registry];
  for (const { name, help, labelNames = [], samplesOf } of WAITING)
    new Gauge({
      ...{ name, help, labelNames, registers },
      async collect() {
        const figures = await read();
        this.reset();
        // The reset of a metric without labels leaves a 0, which would say that nothing waits.
        if (!figures) return labelNames.length === 0 ? this.remove() : undefined;
        for (const { labels, value } of samplesOf(figures, app.clock.now())) this.set(labels, value);
      },
    });
  new Gauge({
    name: 'paygraph_database_figures',
    help: '1 if the database told the figures of this answer in time, else 0.',
    registers,
    async collect() {
      this.set((await read()) ? 1 : 0);
    },
  });
}

const WAITING: readonly Waiting[] = [
  {
    name: 'paygraph_unknown_outcomes',
    help: 'Operations with an unknown outcome, by what comes next: a retry, or a person. At most 10000 are counted.',
    labelNames: ['next'],
    samplesOf: ({ unknown }) => countsOf('next', unknown, ['retry', 'person']),
  },
  {
    name: 'paygraph_unknown_outcome_age_seconds',
    help: 'Time since when the oldest unknown outcome is unknown, by what comes next. 0 without one.',
    labelNames: ['next'],
    samplesOf: ({ unknown }, now) => agesOf('next', unknown, { now, states: ['retry', 'person'] }),
  },
  {
    name: 'paygraph_differences_open',
    help: 'Open differences between payments and their providers, by finding. At most 10000 are counted.',
    labelNames: ['finding'],
    samplesOf: ({ differences }) => countsOf('finding', differences),
  },
  {
    name: 'paygraph_difference_age_seconds',
    help: 'Age of the oldest open difference. 0 without one.',
    samplesOf: ({ differences }, now) => oldestOf(differences, now),
  },
  {
    name: 'paygraph_circuits_open',
    help: 'Payment services that routing sets behind the others because their provider fails, by definition. At most 10000 are counted.',
    labelNames: ['definition'],
    samplesOf: ({ circuits }) => countsOf('definition', circuits),
  },
  {
    name: 'paygraph_payments_held',
    help: '1 while payments are held back after a restore, else 0.',
    samplesOf: ({ hold }) => one(hold ? 1 : 0),
  },
  {
    name: 'paygraph_inbound_webhooks_waiting',
    help: 'Webhooks of providers that wait for their operation. At most 10000 are counted.',
    samplesOf: ({ webhooks }) => one(webhooks.reduce((sum, { count }) => sum + count, 0)),
  },
  {
    name: 'paygraph_inbound_webhook_age_seconds',
    help: 'Age of the oldest webhook of a provider that waits for its operation. 0 without one.',
    samplesOf: ({ webhooks }, now) => oldestOf(webhooks, now),
  },
  {
    name: 'paygraph_webhook_backlog',
    help: 'Deliveries that wait, by state of their endpoints. At most 1000 of an endpoint are counted.',
    labelNames: ['endpoint_state'],
    samplesOf: ({ backlog }) => countsOf('endpoint_state', backlog, ENDPOINT_STATES),
  },
  {
    name: 'paygraph_webhook_backlog_age_seconds',
    help: 'Age of the oldest delivery that waits, by state of its endpoint. 0 without one.',
    labelNames: ['endpoint_state'],
    samplesOf: ({ backlog }, now) => agesOf('endpoint_state', backlog, { now, states: ENDPOINT_STATES }),
  },
  {
    name: 'paygraph_relay_lag_seconds',
    help: 'Age of the oldest event that is not in the feed yet. 0 if no event waits.',
    samplesOf: ({ oldestEvent }, now) => one(ageOf(oldestEvent, now)),
  },
  {
    name: 'paygraph_jobs',
    help: 'Jobs that are not finished, by kind and state. At most 10000 of a kind are counted.',
    labelNames: ['job', 'state'],
    samplesOf: ({ jobs }) =>
      Object.entries(jobs).flatMap(([job, rows]) =>
        countsOf('state', rows, JOB_STATES).map(({ labels, value }) => ({
          labels: { job, ...labels },
          value,
        })),
      ),
  },
  {
    name: 'paygraph_job_age_seconds',
    help: 'Age of the oldest job that is not finished, by kind. 0 without one.',
    labelNames: ['job'],
    samplesOf: ({ jobs }, now) =>
      Object.entries(jobs).flatMap(([job, rows]) =>
        oldestOf(rows, now).map(({ value }) => ({ labels: { job }, value })),
      ),
  },
  {
    name: 'paygraph_outlet_backlog',
    help: 'Events that an outlet has not published, by outlet.',
    labelNames: ['outlet'],
    samplesOf: ({ outlets }) => outlets.map(({ outlet, events }) => ({ labels: { outlet }, value: events })),
  },
  {
    name: 'paygraph_outlet_age_seconds',
    help: 'Age in the feed of the oldest event that an outlet has not published, by outlet. 0 without one.',
    labelNames: ['outlet'],
    samplesOf: ({ outlets }, now) =>
      outlets.map(({ outlet, oldest }) => ({ labels: { outlet }, value: ageOf(oldest, now) })),
  },
  {
    name: 'paygraph_clock_offset_seconds',
    help: 'How far the clock of this process is ahead of the clock of the database. Negative if it is behind.',
    samplesOf: ({ offsetMs }) => one(offsetMs / 1000),
  },
];

const ENDPOINT_STATES = ['active', 'failing', 'paused', 'disabled'];
const JOB_STATES = ['pending', 'running'];

const one = (value: number): readonly Sample[] => [{ labels: {}, value }];

const ageOf = (moment: Date | null, now: Date): number =>
  moment === null ? 0 : Math.max(0, now.getTime() - moment.getTime()) / 1000;

/** Returns the count of each state. The known states have one even without rows. */
function countsOf(label: string, rows: readonly CountedRows[], known: readonly string[] = []): Sample[] {
  const counts = new Map(known.map((state) => [state, 0]));
  for (const { state, count } of rows) counts.set(state, count);
  return [...counts].map(([state, value]) => ({ labels: { [label]: state }, value }));
}

/** Returns the age of the oldest row of each state. */
const agesOf = (
  label: string,
  rows: readonly CountedRows[],
  { now, states }: { readonly now: Date; readonly states: readonly string[] },
): Sample[] =>
  states.map((state) => ({
    labels: { [label]: state },
    value: ageOf(rows.find((row) => row.state === state)?.oldest ?? null, now),
  }));

/** Returns the age of the oldest row of all states. */
const oldestOf = (rows: readonly CountedRows[], now: Date): readonly Sample[] =>
  one(Math.max(0, ...rows.map(({ oldest }) => ageOf(oldest, now))));
