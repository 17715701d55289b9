import type { SimulationResult } from './model/result.ts';

export type SimulationStatus = 'pending' | 'running' | 'succeeded' | 'canceled' | 'failed';

/** The past payments of a merchant account, played through a version of routing rules. */
export type Simulation = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly versionId: string;
  /** Payments created from this moment on. */
  readonly from: Date;
  /** Payments created before this moment. */
  readonly to: Date;
  /** The part of the payments that is played, in percent. */
  readonly sample: number;
  readonly status: SimulationStatus;
  /** The number of payments that were read so far, with those outside the sample. */
  readonly scanned: number;
  /** The creation of the last payment that was read. Null before the first page. */
  readonly placeAt: Date | null;
  /** Null before the success. */
  readonly result: SimulationResult | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
};

/** The form in the record of an idempotency key. A new simulation has no other moments. */
export type SimulationJson = Omit<Simulation, 'from' | 'to' | 'createdAt'> & {
  readonly from: string;
  readonly to: string;
  readonly createdAt: string;
};

export const simulationToJson = (simulation: Simulation): SimulationJson => ({
  ...simulation,
  from: simulation.from.toISOString(),
  to: simulation.to.toISOString(),
  createdAt: simulation.createdAt.toISOString(),
});

export const simulationFromJson = (json: SimulationJson): Simulation => ({
  ...json,
  from: new Date(json.from),
  to: new Date(json.to),
  createdAt: new Date(json.createdAt),
});

/** Returns the part of the period that was read, from 0 to 1. A simulation that has not succeeded is never at 1. */
export function progressOf({ status, from, to, placeAt }: Simulation): number {
  if (status === 'succeeded') return 1;
  if (!placeAt) return 0;
  const part = (placeAt.getTime() - from.getTime()) / (to.getTime() - from.getTime());
  return Math.floor(part * 1000) / 1000;
}
