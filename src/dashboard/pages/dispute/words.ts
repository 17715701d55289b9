import { isDue } from '../disputes/state.tsx';
import { texts } from '../../texts/texts.ts';
import type { Dispute } from './query.ts';

/** A kind of response that a payment service may support. */
type Feature = 'dispute_evidence' | 'dispute_acceptance';

/** Returns true if the provider takes a kind of response through Paygraph. */
export const supports = ({ paymentService: { definition } }: Dispute, feature: Feature): boolean =>
  definition?.supportedFeatures.some(({ name, supported }) => name === feature && supported) ?? false;

/** Returns true while an earlier response may still arrive. No other one is taken until then. */
export const isUnderWay = ({ responses }: Dispute): boolean =>
  responses.some(({ status }) => status === 'PENDING');

/** Says the state of a dispute in sentences, with the next thing to do. */
export function sentenceOf(dispute: Dispute): string {
  const { sentence, stages } = texts.disputes;
  const { status, stage } = dispute;
  if (status !== 'NEEDS_RESPONSE')
    return status === 'UNDER_REVIEW' || status === 'EXPIRED'
      ? `${stages[stage]} ${sentence[status]}`
      : sentence[status];
  return `${stages[stage]} ${adviceOf(dispute)}`;
}

function adviceOf(dispute: Dispute): string {
  const { sentence } = texts.disputes;
  if (isUnderWay(dispute)) return sentence.underWay;
  if (!isDue(dispute)) return sentence.over;
  const isSupported = supports(dispute, 'dispute_evidence') || supports(dispute, 'dispute_acceptance');
  return isSupported ? sentence.NEEDS_RESPONSE : sentence.elsewhere;
}
