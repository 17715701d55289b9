import type { App } from '../../../app.ts';
import { longestDeadlineMs } from './call-context.ts';

/** The part of a lease for the settle after the call. */
const SETTLE_MS = 5_000;

/**
 * Returns the length of a caller's lease, in milliseconds. Recovery claims the operation of a dead caller after that
 * time.
 */
export const leaseMsOf = (deadlineMs: number): number => deadlineMs + SETTLE_MS;

/** Returns the end of a caller's lease. `deadlineMs` is the deadline of the call. */
export const leaseUntil = (now: Date, deadlineMs: number): Date =>
  new Date(now.getTime() + leaseMsOf(deadlineMs));

/** Returns the end of a lease that outlasts every call of this process. */
export const leaseOf = (app: Pick<App, 'config' | 'connectors'>, now: Date): Date =>
  leaseUntil(now, longestDeadlineMs(app));
