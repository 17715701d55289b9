import { createHash, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../platform/process/config.ts';

/** The header with the secret of a router. */
export const ROUTER_SECRET = 'x-router-secret';

/** Returns true for the secret of the router. */
export type IsRouter = (given: unknown) => boolean;

/**
 * Creates the check of `PAYGRAPH_ROUTER_SECRET`. The check compares digests, so that neither the length nor the first wrong
 * character shows in the time taken. Throws without the setting.
 */
export function createRouterCheck({ PAYGRAPH_ROUTER_SECRET: secret }: Config): IsRouter {
  if (!secret) throw new Error('Subgraphs are served without a router secret.');
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(secret);
  return (given) => typeof given === 'string' && timingSafeEqual(digest(given), expected);
}
