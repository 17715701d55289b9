import { Counter, type Registry } from 'prom-client';
import type { App } from '../../app.ts';
import { feedCheckCounts } from '../../modules/events/index.ts';

/** Registers the counts of the event log that should stay 0. This process's feed checks count them. */
export function registerEventMetrics(app: App, registry: Registry): void {
  const registers = [registry];
  new Counter({
    name: 'paygraph_events_missed_total',
    help: 'Events that missed the feed and were restored. Any value above 0 is a fault.',
    registers,
    collect() {
      this.reset();
      this.inc(feedCheckCounts(app).missedEvents);
    },
  });
  new Counter({
    name: 'paygraph_deliveries_missed_total',
    help: 'Missing deliveries of events, created later. Any value above 0 is a fault.',
    registers,
    collect() {
      this.reset();
      this.inc(feedCheckCounts(app).missedDeliveries);
    },
  });
}
