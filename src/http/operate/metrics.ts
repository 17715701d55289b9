import type { ApolloServerPlugin } from '@apollo/server';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { App } from '../../app.ts';
import type { GraphContext } from '../../graph/context.ts';
import { callMetrics } from '../../connectors/calls/call-metrics.ts';
import { attemptCounter } from '../../modules/events/index.ts';
import { lookUpCounter, outcomeCounter, verdictCounter } from '../../modules/transactions/index.ts';
import { loopMetrics } from '../../platform/loop-health.ts';
import { VERSION } from '../../platform/process/version.ts';
import { createFigures } from './database-figures.ts';
import { registerEventMetrics } from './event-metrics.ts';
import type { Budgets } from '../limits/budgets.ts';
import { registerBudgetMetrics, registerConnectionMetrics } from './load-metrics.ts';
import type { Observe } from './observed.ts';
import { measureHttp } from './request-metrics.ts';
import { registerReplicaMetrics } from './replica-metrics.ts';
import { registerUnreadMetrics } from './unread-metrics.ts';
import { registerWaitingMetrics } from './waiting-metrics.ts';

/**
 * Serves Prometheus metrics of this process at `/metrics`, and returns their registry. Labels never come from callers, so
 * their number is bounded.
 */
export function serveMetrics(server: FastifyInstance, app: App): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registerConnectionMetrics(app, registry);
  registerEventMetrics(app, registry);
  registerWaitingMetrics(app, registry, createFigures(app));
  registerUnreadMetrics(app, registry);
  registerReplicaMetrics(app, registry);
  registerBuild(registry);
  for (const metric of [
    outcomeCounter(app),
    verdictCounter(app),
    lookUpCounter(app),
    attemptCounter(app),
    ...callMetrics(app.http),
    ...loopMetrics(app.log),
  ])
    registry.registerMetric(metric);
  server.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
  return registry;
}

/** Adds the metrics of a process that answers requests. Returns the function that counts operations. */
export function measureRequests(
  server: FastifyInstance,
  registry: Registry,
  { budgets, countSockets }: { readonly budgets: Budgets; readonly countSockets: () => number },
): Observe {
  const registers = [registry];
  measureHttp(server, registry);
  const operations = new Counter({
    name: 'paygraph_operations_total',
    help: 'GraphQL operations answered, and subscriptions started.',
    labelNames: ['kind', 'transport', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'paygraph_operation_duration_seconds',
    help: 'Time from an operation to its answer, or to the start of a subscription.',
    labelNames: ['kind'],
    // A read takes some milliseconds. A payment takes as long as its provider, by default at most ten seconds.
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers,
  });
  new Gauge({
    name: 'paygraph_websockets',
    help: 'Websockets that are open.',
    registers,
    collect() {
      this.set(countSockets());
    },
  });
  registerBudgetMetrics(budgets, registry);
  return ({ kind, transport, failed, durationMs }) => {
    operations.inc({ kind, transport, outcome: failed ? 'failed' : 'answered' });
    durations.observe({ kind }, durationMs / 1000);
  };
}

function registerBuild(registry: Registry): void {
  const build = new Gauge({
    name: 'paygraph_build_info',
    help: 'Always 1. The labels name the version of Paygraph and of Node.js.',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  build.set({ version: VERSION, node: process.versions.node }, 1);
}

/** Reports every operation that Apollo answers. */
export const observationPlugin = (observe: Observe): ApolloServerPlugin<GraphContext> => ({
  requestDidStart: async () => {
    const startedAtMs = performance.now();
    return {
      willSendResponse: async ({ operation, contextValue, response: { body } }) => {
        const failed = body.kind === 'single' && body.singleResult.errors !== undefined;
        const durationMs = performance.now() - startedAtMs;
        observe({
          ...{ kind: operation?.operation ?? 'invalid', transport: 'http', failed, durationMs },
          ...{ name: operation?.name?.value ?? null, requestId: contextValue.requestId },
          account: contextValue.viewer.merchantAccountId,
        });
      },
    };
  },
});
