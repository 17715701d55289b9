import type { DisputeStatus } from '../../../client/generated/schema.ts';
import { pillOf } from '../../design/pieces.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';

/** The state of a dispute. */
export const DisputeState = pillOf<DisputeStatus>(texts.disputes.status, {
  ...{ NEEDS_RESPONSE: 'wait', UNDER_REVIEW: 'info', EXPIRED: 'calm', WON: 'good', LOST: 'bad' },
  ...{ ACCEPTED: 'calm', CLOSED: 'calm' },
});

type Due = { readonly status: DisputeStatus; readonly respondBy: string | null };

/** Returns true while a response can still be given. */
export const isDue = ({ status, respondBy }: Due): boolean =>
  status === 'NEEDS_RESPONSE' && (respondBy === null || Date.parse(respondBy) > Date.now());

const HOUR_MS = 3_600_000;

/** The time that is left to respond. The last two days are in the colour of a warning. */
export function TimeLeft({ status, respondBy }: Due) {
  if (status !== 'NEEDS_RESPONSE' || respondBy === null) return null;
  const hours = Math.floor((Date.parse(respondBy) - Date.now()) / HOUR_MS);
  const { left, over } = texts.disputes;
  const shown = hours < 48 ? left.hours(hours) : left.days(Math.floor(hours / 24));
  return (
    <span className="time-left" data-urgent={hours < 48}>
      {hours < 0 ? over : shown}
    </span>
  );
}

/** The end of the time to respond, with the time that is left. */
export function Deadline(due: Due) {
  if (due.respondBy === null) return null;
  return (
    <span className="deadline">
      <Moment at={due.respondBy} />
      <TimeLeft {...due} />
    </span>
  );
}
