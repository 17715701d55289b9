import type { Slice } from './soak/slice.ts';

/** The arguments of a bench. */
export type BenchOptions = {
  /** Makes the run as short as possible, to try the bench without measuring. */
  readonly quick: boolean;
  /**
   * The numbers of rows to measure with. Null lets the bench choose. Only `reads`, `exports`, `lists`, `reports` and
   * `replicas` take them, the last one only the first.
   */
  readonly rows: readonly number[] | null;
  /** The part of a soak to run. Null runs a whole one. Only `soak` takes it. */
  readonly slice: Slice | null;
  /** Reports the current step. */
  readonly progress: (line: string) => void;
};

/** Measures and returns the figures as Markdown. */
export type RunBench = (options: BenchOptions) => Promise<string>;

/** The benches by name, with a description and code that is loaded at the run. */
export const benches: Readonly<
  Record<string, { readonly what: string; readonly load: () => Promise<RunBench> }>
> = {
  money: {
    what: 'authorise, capture and refund a second against bare SQL, round trips, added latency',
    load: async () => (await import('./money.ts')).runMoney,
  },
  'routing-rules': {
    what: 'statements and processor time of a payment with no routing rules, with 20 and with 200',
    load: async () => (await import('./routing-rules.ts')).runRoutingRules,
  },
  traces: {
    what: 'processor time of a payment with traces off, with a tenth of them, and with all',
    load: async () => (await import('./traces.ts')).runTraces,
  },
  processes: {
    what: 'processor time of a payment with 1, 2, 4 and 8 processes of each role on one Postgres',
    load: async () => (await import('./processes.ts')).runProcesses,
  },
  replicas: {
    what: 'lists a second and processor time of the primary with no, one and two replicas, beside payments',
    load: async () => (await import('./replicas/replicas.ts')).runReplicas,
  },
  plan: {
    what: 'machines, disk, log and memory for payments a day, reckoned from the costs of a payment',
    load: async () => (await import('./plan/plan.ts')).runPlan,
  },
  executor: {
    what: 'processor time of a request with compiled operations and with graphql-js',
    load: async () => (await import('./executor.ts')).runExecutor,
  },
  reads: {
    what: 'lists and records a second beside PostGraphile, Mercurius and node:http with one statement',
    load: async () => (await import('./reads/reads.ts')).runReads,
  },
  exports: {
    what: 'rows a second of an export, and the memory of the process that writes and serves the file',
    load: async () => (await import('./exports.ts')).runExports,
  },
  lists: {
    what: 'the first page and the count of every filter, order and search of the long lists',
    load: async () => (await import('./lists/lists.ts')).runLists,
  },
  reports: {
    what: 'reports of a year with the sums of ten million payments, in time zones',
    load: async () => (await import('./reports/reports.ts')).runReports,
  },
  starvation: {
    what: 'payments of one account beside another account that searches without pause',
    load: async () => (await import('./starvation.ts')).runStarvation,
  },
  neighbours: {
    what: 'payments of one account beside everything that another account may do',
    load: async () => (await import('./neighbours/neighbours.ts')).runNeighbours,
  },
  overload: {
    what: 'payments of 20 accounts that want three times what the process can do',
    load: async () => (await import('./overload/overload.ts')).runOverload,
  },
  events: {
    what: 'events a second against bare SQL, HTTP, websockets and job queues, and the time from commit to consumer',
    load: async () => (await import('./events.ts')).runEvents,
  },
  soak: {
    what: 'growth of memory, tables and indexes in an hour of steady load, and in 60 days with retention',
    load: async () => (await import('./soak/soak.ts')).runSoak,
  },
  outlets: {
    what: 'events a second into NATS and Kafka against a bare client, and the time from commit to their consumer',
    load: async () => (await import('./outlets/outlets.ts')).runOutlets,
  },
};
