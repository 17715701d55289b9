import { Counter, Gauge, type Registry } from 'prom-client';
import type { Budgets } from '../limits/budgets.ts';
import type { App } from '../../app.ts';

/** Registers the metrics of refused requests, and of the work that waits for a connection. */
export function registerLoadMetrics({ db, readDb }: App, budgets: Budgets, registry: Registry): void {
  const registers = [registry];
  new Counter({
    name: 'paygraph_requests_refused_total',
    help: 'Requests and reads refused with RATE_LIMITED, by reason: the budget, or the earlier work that waits.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(budgets.refusals)) this.inc({ reason }, count);
    },
  });
  new Gauge({
    name: 'paygraph_connection_waits',
    help: 'Statements and transactions that wait for their turn at a connection, by set of connections.',
    labelNames: ['set'],
    registers,
    collect() {
      this.set({ set: 'money' }, db.waits());
      this.set({ set: 'reads' }, readDb.waits());
    },
  });
}
