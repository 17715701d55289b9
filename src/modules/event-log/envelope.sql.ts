import { PAYLOAD_VERSION } from './payload-version.ts';

/** The parts of an envelope, each an expression of SQL. */
export type EnvelopeParts = {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly target: string;
};

/**
 * Makes the expression of an event's text for statements that build the target themselves. `envelopeText` makes the same form.
 * Parameters: now, environment.
 */
export const envelopeExpression = ({ id, name, account, target }: EnvelopeParts): string =>
  `json_build_object('version', ${PAYLOAD_VERSION}, 'type', 'event', 'id', ${id}, 'name', ${name},
      'created_at', ${momentExpression('@now::timestamptz')}, 'merchant_account_id', ${account},
      'environment', @environment::text, 'target', ${target})::text`;

/** Makes the expression of a moment in payloads, as `toISOString` writes it. */
export const momentExpression = (moment: string): string =>
  `to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
