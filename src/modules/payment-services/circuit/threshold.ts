import type { App } from '../../../app.ts';
import type { Threshold } from './call-window.ts';

/** Returns the threshold of this process. Null: circuits are off, so none opens, and open ones have no effect. */
export function thresholdOf({ config }: Pick<App, 'config'>): Threshold | null {
  const { PAYGRAPH_CIRCUIT_FAILURE_PERCENT: failurePercent, PAYGRAPH_CIRCUIT_CALLS: callsMin } = config;
  return failurePercent === null ? null : { failurePercent, callsMin };
}
