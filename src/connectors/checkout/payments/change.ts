import {
  refusedBefore,
  unreadOf,
  type CaptureRequest,
  type FollowUpRequest,
  type Outcome,
  type RefundRequest,
  type Unknown,
} from '../../door.ts';
import { amountToWire } from '../amount.ts';
import { receipt, type Payment } from '../answers.ts';
import { refusalOf } from '../errors.ts';
import type { Answer, Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { namesOfChange, type Change } from '../names.ts';
import { actionOutcome, findChange, received } from './action-outcome.ts';
import { isExplained } from './explained.ts';
import { UNREADABLE, type WholePayment } from './payment-outcome.ts';
import { actionsIn, actionsPathOf, pathOf, readPayment } from './read-payment.ts';

/** Captures a part or all. After the final capture, Checkout.com releases the rest. */
export const capture = (api: Api, request: CaptureRequest): Promise<Outcome> =>
  change(api, request, { verb: 'capture', more: { capture_type: request.final ? 'Final' : 'NonFinal' } });

/** Refunds a part or all of the captured money. Checkout.com refunds the payment, so the single captures have no part. */
export const refund = (api: Api, request: RefundRequest): Promise<Outcome> =>
  change(api, request, { verb: 'refund', more: {} });

/** Releases everything that is held, for a void or a cancel. */
export const release = (api: Api, request: FollowUpRequest, verb: 'void' | 'cancel'): Promise<Outcome> =>
  change(api, request, { verb, more: null });

/** A change to ask for. `more` are its fields beside the amount. Null for a change of the whole payment. */
type Asked = { readonly verb: Change; readonly more: object | null };

const PATHS = {
  ...{ capture: 'captures', refund: 'refunds', void: 'voids', cancel: 'voids', release: 'voids' },
} as const satisfies Record<Change, string>;

/**
 * Changes a payment. Checkout.com keeps the key of a success alone, and does the work of a failed request again. An earlier request
 * may have changed the payment before it failed. So the actions of the payment are read first.
 */
async function change(api: Api, request: FollowUpRequest, { verb, more }: Asked): Promise<Outcome> {
  const { key, reference, money } = request;
  const amount = amountToWire(money);
  if (amount === null) return refusedBefore(IMPOSSIBLE.amount);
  const known = request.isRepeat ? await beforeRepeat(api, request, verb) : await beforeFirst(api, request);
  if (known !== null) return known;
  const body = { ...(more && { amount, ...more }), ...namesOfChange(key, verb) };
  const answer = await api.post(`${pathOf(reference)}/${PATHS[verb]}`, body, key);
  if (answer.kind === 'answered') {
    const made = receipt.safeParse(answer.body).data;
    return made ? received(made.action_id) : UNREADABLE;
  }
  const isForbidden =
    answer.kind === 'unknown' && answer.unknown.refusedAs === 'insufficient_service_permissions';
  if (answer.kind === 'unknown' && !isForbidden) return answer.unknown;
  return afterRefusal(api, request, { verb, amount, answer });
}

/** Returns the outcome of an earlier request of the key, which a restored database may not know. Null without one. */
async function beforeFirst(api: Api, { key, reference, money }: FollowUpRequest): Promise<Outcome | null> {
  const listed = await api.get(actionsPathOf(reference));
  const actions = actionsIn(listed);
  if (actions === null)
    return { ...(listed.kind === 'unknown' ? listed.unknown : unreadOf(listed)), sent: false };
  const earlier = findChange(actions, key);
  return earlier ? actionOutcome(earlier, money.currency) : null;
}

/**
 * Returns the outcome of an earlier request of the key. Null if nothing of that request is under way, so that a repeat does its
 * work once. The list of actions may lack the work of the earlier request. The balances of the payment then show it.
 */
async function beforeRepeat(
  api: Api,
  { key, reference, money }: FollowUpRequest,
  verb: Change,
): Promise<Outcome | null> {
  const read = await readPayment(api, reference);
  if (read === null || 'kind' in read) return { ...(read ?? UNCERTAIN), sent: false };
  const earlier = findChange(read.actions, key);
  if (earlier) return actionOutcome(earlier, money.currency);
  return isExplained(read, verb) ? null : { ...UNCERTAIN, sent: false };
}

const UNCERTAIN: Unknown = { kind: 'unknown', cause: 'server_error' };

type Refused = {
  readonly verb: Change;
  readonly amount: number;
  readonly answer: Exclude<Answer, { readonly kind: 'answered' }>;
};

/**
 * Decides after the refusal of a change.
 *
 * - The refusal of a first request is one.
 * - The refusal of a repeat may be due to the work of an earlier request. So it is one only if the listed actions explain the balances.
 * - 403 means that the payment allows no such change, or that the key lacks the right. Only a payment that explains the refusal makes
 *   the change a failure.
 */
async function afterRefusal(
  api: Api,
  { key, reference, money, isRepeat }: FollowUpRequest,
  { verb, amount, answer }: Refused,
): Promise<Outcome> {
  if (answer.kind === 'refused' && !isRepeat) return refusalOf(answer);
  const read = await readPayment(api, reference);
  if (read === null || 'kind' in read) return answer.kind === 'unknown' ? answer.unknown : UNCERTAIN;
  const earlier = findChange(read.actions, key);
  if (earlier) return actionOutcome(earlier, money.currency);
  if (isRepeat && !isExplained(read, verb)) return UNCERTAIN;
  if (answer.kind === 'refused') return refusalOf(answer);
  return forbids(read, verb, amount) ? impossibleNow(read.payment) : answer.unknown;
}

const HELD = ['Authorized', 'Partially Captured'];

/** The statuses of a payment that allow a change, if the payment tells no balances. */
const ALLOWING: Readonly<Record<Change, readonly string[]>> = {
  capture: HELD,
  refund: ['Captured', 'Partially Captured', 'Partially Refunded'],
  ...{ void: HELD, cancel: HELD, release: HELD },
};

function forbids({ payment: { status, balances } }: WholePayment, verb: Change, amount: number): boolean {
  const left =
    verb === 'capture'
      ? balances?.available_to_capture
      : verb === 'refund'
        ? balances?.available_to_refund
        : balances?.available_to_void;
  if (left == null) return !ALLOWING[verb].includes(status);
  // A release takes everything that is left.
  return left < (verb === 'capture' || verb === 'refund' ? amount : 1);
}

const impossibleNow = ({ status }: Payment): Outcome => ({
  ...{ kind: 'failed', reference: null, errorCode: 'unexpected_state' },
  ...{ rawResponseCode: status, rawResponseDescription: null },
});
