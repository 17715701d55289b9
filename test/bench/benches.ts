/** What a bench is given. */
export type BenchOptions = {
  /** As short as possible: to try the bench, not to measure. */
  readonly quick: boolean;
  /** Tells whoever waits what is being done. */
  readonly progress: (line: string) => void;
};

/** Measures and answers its figures as Markdown. */
export type RunBench = (options: BenchOptions) => Promise<string>;

/** A bench by name: what it measures, and its code, loaded when it is run. */
export const benches: Readonly<
  Record<string, { readonly what: string; readonly load: () => Promise<RunBench> }>
> = {
  money: {
    what: 'authorise, capture and refund a second against bare SQL, round trips, added latency',
    load: async () => (await import('./money.ts')).runMoney,
  },
  executor: {
    what: 'processor time of a request with compiled operations and with graphql-js',
    load: async () => (await import('./executor.ts')).runExecutor,
  },
  events: {
    what: 'event writes, relay, deliveries and subscribers a second against bare SQL, HTTP and websockets; time from commit to consumer',
    load: async () => (await import('./events.ts')).runEvents,
  },
};
