export { cancelRoutingSimulation } from './cancel.ts';
export { findRoutingSimulations, listRoutingSimulations } from './find.ts';
export type { SimulateInput } from './input.ts';
export { simulateRouting } from './start.ts';
export { progressOf, type Simulation } from './simulation.ts';
export { countUnfinishedSimulations } from './run/count-unfinished.sql.ts';
export { simulateNextPages, startRoutingSimulator } from './run/worker.ts';
export type {
  Move,
  ResultDifference,
  RulePayments,
  SimulationResult,
  UnknownSegment,
} from './model/result.ts';
