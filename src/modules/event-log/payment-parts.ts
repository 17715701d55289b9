import { SPLIT_KINDS } from '../../connectors/interface/requests.ts';
import {
  choice,
  complete,
  completeOrNull,
  COUNT,
  listOrNull,
  MINOR_UNITS,
  MOMENT_OR_NULL,
  TEXT,
  TEXT_OR_NULL,
  UUID,
} from './json-schema.ts';

const SHARE = {
  kind: choice(...SPLIT_KINDS),
  account: {
    ...TEXT_OR_NULL,
    description: "The provider's id of the account. Null for the platform's own account.",
  },
  amount: MINOR_UNITS,
  reference: TEXT_OR_NULL,
};

/** The shares of a capture or a refund in events. */
export const SPLITS_OF_OPERATION = {
  ...listOrNull(complete(SHARE)),
  description: 'The shares of accounts in this operation. Null without any.',
};

/** The shares of a payment in events. */
export const SPLITS_OF_PAYMENT = {
  ...listOrNull(complete({ ...SHARE, captured_amount: MINOR_UNITS, refunded_amount: MINOR_UNITS })),
  description: 'The shares of accounts in the payment. Null without any.',
};

/** The debit of a bank account in events. */
export const BANK = {
  ...completeOrNull({
    scheme: choice('ach', 'sepa', 'bacs'),
    last_four: TEXT,
    mandate_reference: TEXT_OR_NULL,
    debits_on: { ...TEXT_OR_NULL, description: 'The day of the debit as YYYY-MM-DD.' },
    creditor_id: TEXT_OR_NULL,
  }),
  description: 'The facts for the notice to the payer. Null for other payments.',
};

/** The plan of the later tries of a payment in events. */
export const RETRY_PLAN = {
  transaction_id: UUID,
  status: choice('active', 'succeeded', 'exhausted', 'stopped', 'ended'),
  reason: {
    ...TEXT_OR_NULL,
    description: 'A value of `RetryPlanReason` in lower case. Null before the end.',
  },
  tries: COUNT,
  next_try_at: MOMENT_OR_NULL,
  ends_at: MOMENT_OR_NULL,
};
