import type { App } from '../../../app.ts';
import { configuredBrokers } from '../../../platform/brokers/configured.ts';
import type { Broker } from '../../../platform/brokers/broker.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { createOutlet } from './outlet.ts';
import { readBacklog, type Backlog } from './outlets.sql.ts';

/** A round without events reads one row. */
const IDLE_MS = 100;

/** A stop waits so long for the acknowledgements of a batch. */
const STOP_MS = 2_000;

/**
 * Starts a loop for each configured outlet of the event feed. Every process may run them. One process at a time publishes for
 * an outlet. An outlet whose broker fails holds back nothing else.
 */
export function startOutlets(app: App): Loop {
  const loops = configuredBrokers(app.config).map((broker) => startOutlet(app, broker));
  return {
    poke: () => loops.forEach((loop) => loop.poke()),
    stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))),
  };
}

function startOutlet(app: App, broker: Broker): Loop {
  const { clock, log } = app;
  const outlet = createOutlet(app, broker);
  const run = (): Promise<boolean> => outlet.publishBatch();
  const loop = startLoop({ name: `outlet ${broker.name}`, idleMs: IDLE_MS, clock, log, run });
  return {
    poke: () => loop.poke(),
    stop: async () => {
      const ended = loop.stop();
      const stopped = new AbortController();
      await Promise.race([ended, clock.sleep(STOP_MS, stopped.signal)]);
      stopped.abort();
      // A broker that does not answer would hold back the stop.
      await broker.close();
      await ended;
      await outlet.close();
    },
  };
}

/** The backlog of a configured outlet. */
export type OutletBacklog = Backlog & { readonly outlet: string };

/** Reads the backlog of each configured outlet. Reads the whole service's, in every process. */
export const outletBacklogs = ({
  db,
  config,
}: Pick<App, 'db' | 'config'>): Promise<readonly OutletBacklog[]> =>
  Promise.all(
    configuredBrokers(config).map(async ({ name }) => ({ outlet: name, ...(await readBacklog(db, name)) })),
  );
