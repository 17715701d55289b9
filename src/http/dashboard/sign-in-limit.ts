import type { FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { Config } from '../../platform/process/config.ts';
import { networkOf } from '../../platform/http/network.ts';
import { oncePer } from '../../platform/database/once-per.ts';
import { createBucket } from '../limits/bucket.ts';
import { tooMany } from '../limits/budgets.ts';
import type { Refused } from '../answers/replies.ts';

/**
 * Counts an attempt to sign in. Returns the refusal of a network with too many attempts. Each attempt costs the time of a password
 * digest, so others behind the network wait too.
 */
export function waitOf({ config }: App, { ip }: FastifyRequest): Refused | null {
  const waitSeconds = bucketOf(config)?.take(networkOf(ip), 1) ?? null;
  return waitSeconds === null ? null : tooMany(TOO_MANY, waitSeconds);
}

const TOO_MANY = 'This network tried to sign in too often. Wait a minute, then try again.';

/** Half a minute of attempts is saved up, so that a slip of the finger needs no wait. */
const BURST_SECONDS = 30;

const bucketOf = oncePer(({ PAYGRAPH_SIGN_INS_PER_MINUTE: perMinute }: Config) => {
  const perSecond = perMinute === null ? null : perMinute / 60;
  return createBucket('sign-ins', perSecond, () => performance.now(), BURST_SECONDS);
});
