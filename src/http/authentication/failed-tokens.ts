import type { App } from '../../app.ts';
import type { Config } from '../../platform/process/config.ts';
import { networkOf } from '../../platform/http/network.ts';
import { createBucket } from '../limits/bucket.ts';

/** The refused tokens of each address, in this process. A caller without an address is never limited. */
export type FailedTokens = {
  /** Counts a refused token. */
  count(address: string | null): void;
  /** Returns the seconds to wait after too many refused tokens, and null otherwise. */
  waitSeconds(address: string | null): number | null;
};

/** Creates the counts. Null as the setting counts nothing. The memory is bounded: the least recent addresses are forgotten. */
export function createFailedTokens(perSecond: number | null, nowMs = () => performance.now()): FailedTokens {
  const bucket = createBucket('failed-tokens', perSecond, nowMs);
  return {
    count: (address) => void (address !== null && bucket?.take(networkOf(address), 1)),
    waitSeconds: (address) => (address === null ? null : (bucket?.wait(networkOf(address)) ?? null)),
  };
}

/** Returns the counts of a service. */
export function failedTokensOf({ config }: App): FailedTokens {
  const known = ofServices.get(config) ?? createFailedTokens(config.PAYGRAPH_FAILED_TOKENS_PER_SECOND);
  ofServices.set(config, known);
  return known;
}

const ofServices = new WeakMap<Config, FailedTokens>();
