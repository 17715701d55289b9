import type { DifferenceState } from '../../../client/generated/schema.ts';
import { pillOf } from '../../design/pieces.tsx';
import { LOCALE } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';

/** The state of a difference. */
export const State = pillOf<DifferenceState>(texts.differences.state, {
  ...{ OPEN: 'wait', ADOPTED: 'good', DISMISSED: 'calm', RESOLVED: 'info' },
});

const AGO = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'always', style: 'short' });
const WHOLE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' });

const MINUTE_MS = 60_000;

/** The time since when a difference is known. The tooltip has the whole moment. */
export function Age({ at }: { readonly at: string }) {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(at)) / MINUTE_MS));
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  return (
    <time dateTime={at} title={WHOLE.format(new Date(at))}>
      {days > 0
        ? AGO.format(-days, 'day')
        : hours > 0
          ? AGO.format(-hours, 'hour')
          : AGO.format(-minutes, 'minute')}
    </time>
  );
}
