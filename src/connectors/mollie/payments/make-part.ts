import { refusedBefore, type FollowUpRequest, type Money, type Outcome } from '../../door.ts';
import { amountToWire } from '../amount.ts';
import { capture as captureForm, refund as refundForm, type Capture } from '../answers.ts';
import { refusalOf } from '../errors.ts';
import { parse, type Answer, type Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { metadataOf, operationOf } from '../names.ts';
import { captureOutcome, refundOutcome } from './payment-outcome.ts';
import { paymentPath, readList, UNREADABLE, type Part } from './read-payment.ts';

/** The captures or the refunds of a payment, with the outcome of one. */
type Parts = Part<Capture> & { readonly outcomeOf: (made: Capture) => Outcome };

export const CAPTURES: Parts = { name: 'captures', form: captureForm, outcomeOf: captureOutcome };
export const REFUNDS: Parts = { name: 'refunds', form: refundForm, outcomeOf: refundOutcome };

/**
 * Captures or refunds a part of a payment. A refusal may be about an earlier request whose key Mollie has forgotten, so the list
 * decides first. 409 stands for two equal requests in a short time.
 */
export async function makePart(
  api: Api,
  parts: Parts,
  { key, money, reference }: FollowUpRequest,
): Promise<Outcome> {
  const amount = amountToWire(money);
  if (amount === null) return refusedBefore(IMPOSSIBLE.amount);
  const path = paymentPath(reference, `/${parts.name}`);
  const answer = await api.post(path, { amount, metadata: metadataOf(key) }, key);
  if (answer.kind === 'answered') {
    const made = parse(parts.form, answer.body);
    return made ? parts.outcomeOf(made) : UNREADABLE;
  }
  if (answer.kind === 'unknown' && answer.isConflict !== true) return answer.unknown;
  const found = await findPart(api, parts, { key, reference });
  return found ?? withoutTrace(answer);
}

/** An equal request was refused, and the list does not have this one. A conflict passes, and a refusal stays. */
const withoutTrace = (answer: Exclude<Answer, { kind: 'answered' }>): Outcome =>
  answer.kind === 'refused' ? refusalOf(answer.error, null) : answer.unknown;

/** Finds a capture or refund by our key. Null if the payment has none of this key, which alone proves nothing. */
export async function findPart(
  api: Api,
  parts: Parts,
  { key, reference }: Pick<FollowUpRequest, 'key' | 'reference'>,
): Promise<Outcome | null> {
  const isOurs = ({ metadata }: Capture): boolean => operationOf(metadata) === key;
  const read = await readList(api, paymentPath(reference, `/${parts.name}`), parts, isOurs);
  if (read === null || 'kind' in read) return read;
  const made = read.find(isOurs);
  return made ? parts.outcomeOf(made) : null;
}

/** Returns a success without words. Mollie answers a release without a body. */
export const succeeded = (reference: string, money: Money): Outcome => ({
  ...{ kind: 'succeeded', reference, money },
  ...{ rawResponseCode: null, rawResponseDescription: null },
});
