import type { Definition } from '../../../connectors/interface/definition.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { ConnectionOptions } from '../model/details.ts';

export type ApprovalRequest = {
  /** The moment that the caller gave. The input's check ensures a moment after `now`. */
  readonly given: Date | null;
  /** The options of all connectors. */
  readonly options: ConnectionOptions | null;
  /** The definition of the chosen payment service. */
  readonly definition: Pick<Definition, 'id' | 'approvalWindow'>;
  readonly now: Date;
};

/**
 * Returns the last moment at which the buyer can approve a payment. Null when nothing waits for the buyer. The option of
 * the chosen definition comes first, then the caller's moment, then the definition's default. Refuses an option in the
 * past, and a moment beyond the definition's maximum.
 */
export function approvalExpiresAt(request: ApprovalRequest): Result<Date | null, InvalidInput> {
  const { given, options, definition, now } = request;
  const { id, approvalWindow: window } = definition;
  if (!window) return ok(null);
  const option = window.option === null ? undefined : options?.[id]?.[window.option];
  if (window.option !== null && option != null) {
    const path = ['input', 'connectionOptions', id, window.option];
    return isMomentAfter(option, now) ? ok(new Date(option * 1000)) : refuse(invalidInput(path, OPTION));
  }
  if (!given) return ok(new Date(now.getTime() + window.defaultMs));
  if (given.getTime() - now.getTime() > window.maxMs) {
    return refuse(invalidInput(['input', 'approvalExpiresAt'], tooLate(window.maxMs)));
  }
  return ok(given);
}

const OPTION = 'Must be a moment in the future, in whole unix seconds.';

const tooLate = (maxMs: number): string =>
  `The chosen payment service allows at most ${maxMs / 3_600_000} hours from now.`;

/** The end of the year 9999. Later dates have another form. */
const SECONDS_MAX = 253_402_300_799;

const isMomentAfter = (value: unknown, now: Date): value is number =>
  Number.isInteger(value) && Number(value) <= SECONDS_MAX && Number(value) * 1000 > now.getTime();
