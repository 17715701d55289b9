/** Time limit of a fraud check, in milliseconds, unless `PAYGRAPH_PROVIDER_DEADLINE_MS` is set. */
export const ANTI_FRAUD_DEADLINE_MS = 10_000;
