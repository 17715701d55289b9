import { z } from 'zod';
import type { ReportAnswer } from '../door.ts';
import type { Exchanged } from './exchange.ts';

const answer = z.object({ status: z.string().optional(), message: z.string().nullish() });

/** The statuses of a refusal of the credentials, which says nothing about the report. */
const OF_CREDENTIALS: ReadonlySet<number> = new Set([0, 401, 403]);

/** Maps the answer to a report. Forter refuses an order that it does not know, and a request in another form. */
export function tookReport(exchanged: Exchanged): ReportAnswer {
  if ('cause' in exchanged) {
    const { cause, refused } = exchanged;
    return refused === undefined || OF_CREDENTIALS.has(refused)
      ? { kind: 'unknown', cause }
      : { kind: 'refused', reason: `HTTP ${refused}` };
  }
  const parsed = answer.safeParse(exchanged.answer);
  if (!parsed.success) return { kind: 'unknown', cause: 'unreadable' };
  const { status, message } = parsed.data;
  return status === 'failed' ? { kind: 'refused', reason: message ?? 'failed' } : { kind: 'done' };
}
