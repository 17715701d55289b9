import type { App } from '../../src/app.ts';

/**
 * Shortens the time limit of calls to providers while an act runs. Use the limit for calls that get no answer. Any other
 * call could miss the limit on a busy machine.
 */
export async function withShortDeadline<Value>({ config }: App, act: () => Promise<Value>): Promise<Value> {
  const usual = config.PAYGRAPH_PROVIDER_DEADLINE_MS;
  Object.assign(config, { PAYGRAPH_PROVIDER_DEADLINE_MS: SHORT_MS });
  try {
    return await act();
  } finally {
    Object.assign(config, { PAYGRAPH_PROVIDER_DEADLINE_MS: usual });
  }
}

/** Long enough for a request to leave. */
const SHORT_MS = 1_000;
