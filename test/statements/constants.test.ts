import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { PAYLOAD_VERSION } from '../../src/modules/event-log/index.ts';
import { FEED_CHANNEL } from '../../src/modules/events/index.ts';
import {
  AUTO_DISABLE_AFTER_MS,
  FAILURES_TO_PAUSE,
  PAUSES_MS,
  WINDOW_MAX,
} from '../../src/modules/events/dispatch/endpoint-health.ts';
import { SWEPT_MAX } from '../../src/modules/events/dispatch/store/sweep.sql.ts';
import { HEALTH_EVENTS } from '../../src/modules/events/endpoints/webhook-endpoint.ts';
import { PIECE_BYTES } from '../../src/modules/exports/write/claim.sql.ts';
import { EXPIRED_MAX } from '../../src/modules/transactions/buyer-approval/store/approval.sql.ts';
import { GIFT_CARDS_ALONE } from '../../src/modules/transactions/model/transaction.ts';
import { TURN_MS } from '../../src/modules/transactions/notices/schedule.ts';
import { oneLine } from './prepared.ts';

const VERSION = `json_build_object('version', ${PAYLOAD_VERSION}, 'type', 'event'`;
const ALONE = `method = '${GIFT_CARDS_ALONE}'`;
const { disabled, failing, recovered } = HEALTH_EVENTS;

/** The values that a statement in a file has in common with the program. */
const COMMON: Readonly<Record<string, readonly string[]>> = {
  'events/dispatch/store/delivery-cancel.sql': [`LIMIT ${SWEPT_MAX}`],
  'events/dispatch/store/delivery-claim.sql': [`LIMIT ${4 * WINDOW_MAX}`],
  'events/dispatch/store/delivery-drain.sql': [`LIMIT ${SWEPT_MAX}`],
  'events/dispatch/store/delivery-expire.sql': [`LIMIT ${SWEPT_MAX}`],
  'events/dispatch/store/delivery-settle.sql': [
    VERSION,
    `least(${WINDOW_MAX}, w."window" + r.successes)`,
    `w."window" = ${WINDOW_MAX} AND`,
    `interval '${AUTO_DISABLE_AFTER_MS / 1_000} s'`,
    `new_failures >= ${FAILURES_TO_PAUSE} THEN 'failing'`,
    `new_failures < ${FAILURES_TO_PAUSE} THEN 'recovered'`,
    `'At least ${FAILURES_TO_PAUSE} attempts in a row failed`,
    `(ARRAY[${PAUSES_MS.map((ms) => ms / 1_000).join(', ')}])[least(j.new_pauses, ${PAUSES_MS.length})]`,
    `WHEN 'gone' THEN '${disabled}' WHEN 'given up' THEN '${disabled}'`,
    `WHEN 'failing' THEN '${failing}' WHEN 'recovered' THEN '${recovered}'`,
  ],
  'events/log/feed-check-deliveries.sql': [`e.name IN ('${failing}', '${recovered}', '${disabled}')`],
  'events/log/relay-move.sql': [
    `pg_notify('${FEED_CHANNEL}', '')`,
    `e.name IN ('${failing}', '${recovered}', '${disabled}')`,
  ],
  'exports/write/record-export-chunk.sql': [String(PIECE_BYTES)],
  'transactions/authorize/anti-fraud/write-screening.sql': [VERSION],
  'transactions/authorize/reroute-authorization-authenticated.sql': [VERSION],
  'transactions/authorize/three-d-secure/conclude-challenge.sql': [VERSION],
  'transactions/buyer-approval/store/approval-expire.sql': [`LIMIT ${EXPIRED_MAX}`],
  'transactions/follow-up-claim/claim-cancel.sql': [ALONE],
  'transactions/follow-up-claim/claim-capture.sql': [ALONE],
  'transactions/follow-up-claim/claim-increase.sql': [ALONE],
  'transactions/follow-up-claim/claim-reauthorize.sql': [ALONE],
  'transactions/follow-up-claim/claim-refund.sql': [ALONE],
  'transactions/follow-up-claim/claim-void.sql': [ALONE],
  'transactions/inbound-match/learn-reference.sql': [`interval '${TURN_MS} milliseconds'`],
  'transactions/inbound/release-late-approval.sql': [VERSION],
  'transactions/review/claim-review.sql': [VERSION, ALONE],
  'transactions/update/update-transaction.sql': [VERSION],
};

it.each(Object.entries(COMMON))('%s has the values of the program', (file, values) => {
  const text = oneLine(readFileSync(join('src/modules', file), 'utf8'));
  for (const value of values) expect(text).toContain(value);
});
