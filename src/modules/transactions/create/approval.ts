import type { Definition } from '../../../connectors/connector.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { ConnectionOptions } from '../model/details.ts';

export type ApprovalRequest = {
  /** What the caller gave: a moment after `now`, which the input's check has seen to. */
  readonly given: Date | null;
  /** Of all connectors. */
  readonly options: ConnectionOptions | null;
  /** Of the payment service that was chosen. */
  readonly definition: Pick<Definition, 'id' | 'approvalWindow'>;
  readonly now: Date;
};

/**
 * Until when the buyer can approve a payment (spec "Limits"): the option of the chosen definition, before what was given,
 * before the definition's default. Null when nothing waits for the buyer. Refuses an option that is no moment to come,
 * and a given moment that is beyond the definition's maximum.
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
  `The payment service that was chosen allows at most ${maxMs / 3_600_000} hours from now.`;

/** The end of the year 9999, after which dates have another form. */
const SECONDS_MAX = 253_402_300_799;

const isMomentAfter = (value: unknown, now: Date): value is number =>
  Number.isInteger(value) && Number(value) <= SECONDS_MAX && Number(value) * 1000 > now.getTime();
