import type { AntiFraudDecision } from '../../../client/generated/schema.ts';
import { pillOf } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';

/** The decision of an anti-fraud service about a payment. */
export const Decision = pillOf<AntiFraudDecision>(texts.antiFraud.decision, {
  ...{ PENDING: 'wait', ACCEPT: 'good', REJECT: 'bad', REVIEW: 'wait' },
  ...{ ERROR: 'calm', EXCEPTION: 'calm', SKIPPED: 'calm' },
});
