import { askClient, readResult } from './native-steps.ts';
import { returned } from './payments.ts';
import { invalid, missing, type Answer } from './refusals.ts';
import type { State } from './state.ts';

/** The fields of POST /payments/details that the double reads. */
export type DetailsBody = {
  readonly details: {
    readonly redirectResult?: string;
    readonly threeDSResult?: string;
    readonly 'threeds2.fingerprint'?: string;
    readonly 'threeds2.challengeResult'?: string;
  };
  readonly paymentData?: string;
};

/** Answers POST /payments/details. A result counts once. */
export function completePayment(state: State, body: DetailsBody): Answer {
  const { redirectResult } = body.details;
  if (redirectResult === undefined) return completeStep(state, body);
  const redirected = state.redirects.get(redirectResult);
  if (!redirected || redirected.isUsed) return invalid('702', 'Invalid redirectResult');
  redirected.isUsed = true;
  return returned(state, redirected.payment, redirected.result);
}

/**
 * Goes on after a step in the client. Without `threeDSResult`, the payment's data names the payment. Nothing is authorised before the
 * last step.
 */
function completeStep(state: State, { details, paymentData }: DetailsBody): Answer {
  const { threeDSResult } = details;
  const older = details['threeds2.fingerprint'] ?? details['threeds2.challengeResult'];
  const result = threeDSResult ?? older;
  if (result === undefined) return missing('details.redirectResult');
  if (threeDSResult === undefined && paymentData === undefined) return missing('paymentData');
  const token = paymentData ?? readResult(result, null)?.authorisationToken ?? '';
  const step = state.steps.get(token);
  const read = step ? readResult(result, step.name) : null;
  if (!step || step.isUsed || !read) return invalid('702', 'Invalid payload provided');
  step.isUsed = true;
  const { payment, next } = step;
  if (payment.status !== 'waiting' || next.length === 0)
    return returned(state, payment, read.isPassed ? 'approve' : 'refuse');
  const answer = askClient(state, payment, next);
  const { pspReference, reference: merchantReference } = payment;
  return { ...answer, body: { ...answer.body, pspReference, merchantReference } };
}
