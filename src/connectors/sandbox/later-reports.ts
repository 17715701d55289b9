import { createHash } from 'node:crypto';
import type { LaterReport, LaterReports, SimulatedSuccess } from '../door.ts';
import { simulateDispute } from './simulator/disputes.ts';
import { TOKEN_LATER_AMOUNT, tokenOf } from './simulator/simulator.ts';
import { simulateTakeBack } from './simulator/take-backs.ts';
import { readSandboxEvent } from './webhook.ts';

/** The time from a success to its first report, and from each report to the next one. */
export const REPORT_AFTER_MS = 5_000;

/** The webhooks of the built-in simulator. A provider at `api_url` sends its own. */
export const sandboxLaterReports: LaterReports = {
  isSimulated: ({ api_url: url }) => !url,
  about: (success, now) =>
    eventsOf(success, now).flatMap((event, ordinal) => reportOf(success, event, { ordinal, now })),
};

/** Lists the events of a success, in the provider's format. */
function eventsOf(success: SimulatedSuccess, now: Date): readonly object[] {
  const { verb, key, reference: id, money, captures } = success;
  const request = { operation: verb, idempotency_key: key, ...money, capture: captures };
  const reply = { id, ...money, result: 'approved', code: '00', message: 'Approved' } as const;
  const takenBack = simulateTakeBack(request, reply);
  return [...tokenLater(success), ...(takenBack ? [takenBack] : []), ...simulateDispute(request, reply, now)];
}

/** The token that the answer to an authorisation left out. */
const tokenLater = ({ verb, key, money, tokenizes }: SimulatedSuccess): readonly object[] =>
  verb === 'authorize' && tokenizes && money.amount === TOKEN_LATER_AMOUNT
    ? [{ event: 'recurring_token.created', recurring_token: tokenOf(key) }]
    : [];

/** Reads an event as a webhook that names the operation by our key. */
function reportOf(
  { key }: SimulatedSuccess,
  event: object,
  { ordinal, now }: { readonly ordinal: number; readonly now: Date },
): readonly LaterReport[] {
  const at = new Date(now.getTime() + (ordinal + 1) * REPORT_AFTER_MS);
  const id = `evt_${createHash('sha256').update(`${key} ${ordinal}`).digest('hex').slice(0, 24)}`;
  const read = readSandboxEvent({ ...event, id, idempotency_key: key, occurred_at: at.toISOString() });
  return read.ok ? read.value.map((notice) => ({ notice, at })) : [];
}
