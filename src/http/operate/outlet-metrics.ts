import { Gauge, type Registry } from 'prom-client';
import type { App } from '../../app.ts';
import { outletBacklogs } from '../../modules/events/index.ts';

/** Registers the metrics of the configured outlets of the whole service, read on request. Both should go back to 0. */
export function registerOutletMetrics(app: App, registry: Registry): void {
  const registers = [registry];
  // The registry collects both gauges at once, so that one reading serves both.
  let reading: ReturnType<typeof outletBacklogs> | null = null;
  const read = (): ReturnType<typeof outletBacklogs> =>
    (reading ??= outletBacklogs(app).finally(() => (reading = null)));
  new Gauge({
    name: 'paygraph_outlet_age_seconds',
    help: 'Age in the feed of the oldest event that an outlet has not published, by outlet. 0 without one.',
    labelNames: ['outlet'],
    registers,
    async collect() {
      const now = app.clock.now().getTime();
      for (const { outlet, oldest } of await read())
        this.set({ outlet }, oldest ? Math.max(0, now - oldest.getTime()) / 1000 : 0);
    },
  });
  new Gauge({
    name: 'paygraph_outlet_backlog',
    help: 'Events that an outlet has not published, by outlet.',
    labelNames: ['outlet'],
    registers,
    async collect() {
      for (const { outlet, events } of await read()) this.set({ outlet }, events);
    },
  });
}
