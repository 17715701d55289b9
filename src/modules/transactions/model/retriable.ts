import type { ConnectionOptions } from './details.ts';

/** True when the merchant forbids further attempts after the services of a definition (`skip_retry`). */
export const skipsRetry = (options: ConnectionOptions | null, definitionId: string): boolean =>
  options?.[definitionId]?.['skip_retry'] === true;
