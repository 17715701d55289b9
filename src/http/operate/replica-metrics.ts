import { Gauge, type Registry } from 'prom-client';
import type { App } from '../../app.ts';

/** Registers the metrics of the replicas of this process. Without a replica, they have no value. */
export function registerReplicaMetrics({ replicas }: App, registry: Registry): void {
  const registers = [registry];
  const states = () => replicas?.states() ?? [];
  new Gauge({
    name: 'paygraph_replica_answering',
    help: '1 if a replica has told its position within the last second, else 0, by host and port.',
    labelNames: ['replica'],
    registers,
    collect() {
      for (const { name, place } of states()) this.set({ replica: name }, place ? 1 : 0);
    },
  });
  new Gauge({
    name: 'paygraph_replica_lag_seconds',
    help: 'Time since the last write that a replica has replayed, by host and port. 0 if it has all that it received.',
    labelNames: ['replica'],
    registers,
    collect() {
      for (const { name, lagSeconds } of states()) this.set({ replica: name }, lagSeconds);
    },
  });
}
