import { Counter, type Registry } from 'prom-client';
import type { App } from '../../app.ts';
import { unreadCounts } from '../../modules/transactions/index.ts';

/** Registers the metric of webhooks of providers that this process did not read. No label comes from a webhook. */
export function registerUnreadMetrics(app: App, registry: Registry): void {
  new Counter({
    name: 'paygraph_webhooks_unread_total',
    help: 'Webhooks of providers, and their items, that were refused, ignored or not read, by provider and reason.',
    labelNames: ['provider', 'reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { provider, reason, count } of unreadCounts(app)) this.inc({ provider, reason }, count);
    },
  });
}
