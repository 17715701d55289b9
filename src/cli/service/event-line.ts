import type { FeedEvent } from '../../client/index.ts';
import { parseJson } from '../../kernel/json.ts';
import { EVENT_NAMES } from '../../modules/event-log/index.ts';
import { forOutput } from '../colours.ts';

/** Returns an event as a line for a person: time, sequence, name, record and the facts that a glance needs. */
export function eventLine(event: FeedEvent): string {
  const time = event.createdAt.slice(11, 19);
  const sequence = String(event.sequence).padStart(5);
  const record = `${event.target.type} ${event.target.id}`;
  const name = colourOf(event.name)(event.name.padEnd(NAME_WIDTH));
  return `${forOutput.dim(time)} ${forOutput.dim(sequence)}  ${name} ${record}${facts(event.payload)}`;
}

/** The longest event type that the service writes. */
const NAME_WIDTH = Math.max(...EVENT_NAMES.map((name) => name.length));

/** Bad ends are red, good ends are green, and the rest is cyan. */
function colourOf(name: string): (text: string) => string {
  if (/declined|failed|failing|expired|disabled|reversed|lost|rejected/.test(name)) return forOutput.red;
  if (/captured|succeeded|authorized|completed|recovered|won|paid/.test(name)) return forOutput.green;
  return forOutput.cyan;
}

type Target = {
  readonly amount?: unknown;
  readonly currency?: unknown;
  readonly status?: unknown;
  readonly error_code?: unknown;
};

/** Returns amount, status and error code of the record, as far as the payload has them. */
function facts(payload: string): string {
  const { target = {} } = (parseJson(payload) ?? {}) as { readonly target?: Target };
  const { amount, currency, status, error_code: code } = target;
  const money = typeof amount === 'number' && typeof currency === 'string' ? `${amount} ${currency}` : null;
  const words = [money, status, code].filter((word) => typeof word === 'string');
  return words.length === 0 ? '' : `  ${forOutput.dim(words.join(' '))}`;
}
