import { Counter, Gauge, type Registry } from 'prom-client';
import type { Budgets } from '../limits/budgets.ts';
import type { App } from '../../app.ts';

/** Registers the metrics of budgets and refused requests. */
export function registerBudgetMetrics(budgets: Budgets, registry: Registry): void {
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
  new Counter({
    name: 'paygraph_budget_spent_total',
    help: 'Requests and work of reads that passed the budgets, by budget.',
    labelNames: ['budget'],
    registers,
    collect() {
      this.reset();
      for (const [budget, amount] of Object.entries(budgets.spent)) this.inc({ budget }, amount);
    },
  });
}

// The labels of connections to the database in the conventions of OpenTelemetry.
const POOL = 'db_client_connection_pool_name';
const STATE = 'db_client_connection_state';

/** Registers the metrics of connections to the database, by the names of OpenTelemetry. */
export function registerConnectionMetrics({ db, readDb }: App, registry: Registry): void {
  const registers = [registry];
  const sets = { money: db, reads: readDb };
  new Gauge({
    name: 'db_client_connection_pending_requests',
    help: 'Statements and transactions that wait for their turn at a connection, by set of connections.',
    labelNames: [POOL],
    registers,
    collect() {
      for (const [set, each] of Object.entries(sets)) this.set({ [POOL]: set }, each.waits());
    },
  });
  new Gauge({
    name: 'db_client_connection_count',
    help: 'Open connections to the database, by set and state.',
    labelNames: [POOL, STATE],
    registers,
    collect() {
      for (const [set, each] of Object.entries(sets)) {
        const { used, idle } = each.connections();
        this.set({ [POOL]: set, [STATE]: 'used' }, used);
        this.set({ [POOL]: set, [STATE]: 'idle' }, idle);
      }
    },
  });
  new Gauge({
    name: 'db_client_connection_max',
    help: 'Most connections to the database that this process opens, by set.',
    labelNames: [POOL],
    registers,
    collect() {
      for (const [set, each] of Object.entries(sets)) this.set({ [POOL]: set }, each.connections().max);
    },
  });
}
