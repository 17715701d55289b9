import { Gauge, type Registry } from 'prom-client';
import type { App } from '../../app.ts';
import { countOpenDifferences } from '../../modules/transactions/index.ts';

/** Registers the metrics of open differences of the whole service, read on request. Both should go back to 0. */
export function registerDifferenceMetrics(app: App, registry: Registry): void {
  const registers = [registry];
  const age = new Gauge({
    name: 'paygraph_difference_age_seconds',
    help: 'Age of the oldest open difference. 0 without one.',
    registers,
  });
  new Gauge({
    name: 'paygraph_differences_open',
    help: 'Open differences between payments and their providers, by finding.',
    labelNames: ['finding'],
    registers,
    async collect() {
      this.reset();
      const now = app.clock.now().getTime();
      const found = await countOpenDifferences(app.db);
      for (const { finding, count } of found) this.set({ finding }, count);
      const oldest = Math.min(now, ...found.map((each) => each.oldest.getTime()));
      age.set((now - oldest) / 1000);
    },
  });
}
