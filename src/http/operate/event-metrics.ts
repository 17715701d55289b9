import { Counter, Gauge, type Registry } from 'prom-client';
import type { App } from '../../app.ts';
import { auditCounts, oldestWaitingEvent } from '../../modules/events/index.ts';

/**
 * Registers the metrics of the event log: counts that should stay 0, and the lag to watch by an alarm. Counts are of
 * this process's audits. The lag is of the whole service, read on request.
 */
export function registerEventMetrics(app: App, registry: Registry): void {
  const registers = [registry];
  new Counter({
    name: 'paygraph_events_missed_total',
    help: 'Events that missed the feed and were restored. Any value above 0 is a fault.',
    registers,
    collect() {
      this.reset();
      this.inc(auditCounts(app).missedEvents);
    },
  });
  new Counter({
    name: 'paygraph_deliveries_missed_total',
    help: 'Missing deliveries of events, created later. Any value above 0 is a fault.',
    registers,
    collect() {
      this.reset();
      this.inc(auditCounts(app).missedDeliveries);
    },
  });
  new Gauge({
    name: 'paygraph_relay_lag_seconds',
    help: 'Age of the oldest event that is not in the feed yet. 0 if no event waits.',
    registers,
    async collect() {
      const oldest = await oldestWaitingEvent(app);
      const ageMs = oldest ? app.clock.now().getTime() - oldest.getTime() : 0;
      this.set(Math.max(0, ageMs) / 1000);
    },
  });
}
