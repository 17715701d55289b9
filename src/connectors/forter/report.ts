import { z } from 'zod';
import type { ReportAnswer } from '../door.ts';
import type { Exchanged } from './exchange.ts';
import { looseText } from './loose-text.ts';

const refusal = z.object({ status: z.string().toLowerCase().pipe(z.literal('failed')), message: looseText });

/** The statuses of a refusal of the credentials, which says nothing about the report. */
const OF_CREDENTIALS: ReadonlySet<number> = new Set([0, 401, 403]);

/**
 * Maps the answer to a report. Forter refuses an order that it does not know, and a request in another form. Any other answer
 * of a success counts as taken, also one without a body.
 */
export function tookReport(exchanged: Exchanged): ReportAnswer {
  if ('cause' in exchanged) {
    const { cause, refused } = exchanged;
    return refused === undefined || OF_CREDENTIALS.has(refused)
      ? { kind: 'unknown', cause }
      : { kind: 'refused', reason: `HTTP ${refused}` };
  }
  const refused = refusal.safeParse(exchanged.answer);
  return refused.success ? { kind: 'refused', reason: refused.data.message ?? 'failed' } : { kind: 'done' };
}
