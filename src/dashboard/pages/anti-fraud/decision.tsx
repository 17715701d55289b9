import type { AntiFraudDecision } from '../../../client/generated/schema.ts';
import { Pill, type Tone } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';

const TONES: Readonly<Record<AntiFraudDecision, Tone>> = {
  ...{ PENDING: 'wait', ACCEPT: 'good', REJECT: 'bad', REVIEW: 'wait' },
  ...{ ERROR: 'calm', EXCEPTION: 'calm', SKIPPED: 'calm' },
};

/** The decision of an anti-fraud service about a payment. */
export const Decision = ({ decision }: { readonly decision: AntiFraudDecision }) => (
  <Pill tone={TONES[decision]}>{texts.antiFraud.decision[decision]}</Pill>
);
