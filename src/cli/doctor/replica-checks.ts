import { examineReplica } from '../../platform/connections/replica.ts';
import type { Config } from '../../platform/process/config.ts';
import { addressOf, hostsOf } from '../../platform/process/database-address.ts';
import { isUnavailable } from '../../platform/database/database-faults.ts';
import { explain } from '../explain.ts';
import type { Report } from './checks.ts';

/** Replicas that are further behind answer few queries. */
const LAG_MAX_SECONDS = 10;

/** Checks that each server of `DATABASE_REPLICA_URL` follows a primary, and how far it is behind. Changes nothing. */
export async function checkReplicas(config: Config, tell: Report): Promise<void> {
  if (config.DATABASE_REPLICA_URL === undefined) return;
  for (const url of addressOf(config.DATABASE_REPLICA_URL).urls) {
    const report = await examineReplica(url, config).then(
      ({ name, lagSeconds }) => ({
        state: lagSeconds > LAG_MAX_SECONDS ? ('warning' as const) : ('ok' as const),
        sentence: `${name} follows the primary, ${lagSeconds.toFixed(1)} s behind.`,
      }),
      (error: unknown) => ({ state: 'failed' as const, sentence: `${hostsOf(url)}: ${wordsOf(error)}` }),
    );
    tell({ check: 'replica', ...report });
  }
}

const wordsOf = (error: unknown): string =>
  isUnavailable(error) ? 'The server does not answer.' : explain(error);
