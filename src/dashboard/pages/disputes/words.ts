import type { Said } from '../../app/data/act.ts';
import type { DialogProps } from '../../design/form/form-dialog.tsx';
import { texts } from '../../texts/texts.ts';
import type { Dispute, Outcome } from './query.ts';
import { isDue } from './state.tsx';

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

/** Says why a response failed. */
export const reasonOf = (code: string | null): string =>
  code === 'unknown_outcome' || code === null
    ? texts.disputes.response.unclear
    : texts.disputes.response.refused(code.replaceAll('_', ' '));

/** The props of each dialog of a response. */
export type RespondProps = DialogProps & { readonly dispute: Dispute };

/** Says the outcome of a response. */
export function sayOutcome({ status, errorCode }: Outcome, done: string): Said {
  if (status === 'FAILED') return ['bad', reasonOf(errorCode)];
  return status === 'SUCCEEDED' ? done : texts.disputes.response.later;
}
