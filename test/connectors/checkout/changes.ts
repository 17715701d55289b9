import { refuseForbidden, refuseInvalid } from './refusal.ts';
import type { CaptureBody, PartBody } from './shapes.ts';
import { changeData } from './views.ts';
import { balancesOf, emit, takeCode, type Action, type Names, type Payment, type World } from './world.ts';

type Change = Extract<Action['type'], 'Capture' | 'Refund' | 'Void'>;

type Asked = {
  readonly type: Change;
  readonly amount: number;
  readonly isFinal: boolean;
  readonly key: string | null;
  readonly names: Names;
};

const EVENTS: Readonly<Record<Change, readonly [approved: string, declined: string]>> = {
  Capture: ['payment_captured', 'payment_capture_declined'],
  Refund: ['payment_refunded', 'payment_refund_declined'],
  Void: ['payment_voided', 'payment_void_declined'],
};

/** Takes a change, which is decided later. Returns the change. */
export function change(
  world: World,
  payment: Payment,
  { names: { reference, metadata }, ...asked }: Asked,
): Action {
  const code = takeCode(world, asked.type) ?? '10000';
  const action: Action = {
    ...{ id: world.id('act'), at: world.now(), approved: null, code, reference, metadata, ...asked },
  };
  payment.actions.push(action);
  world.open.push(() => {
    action.approved = code.startsWith('10');
    emit(world, EVENTS[asked.type][action.approved ? 0 : 1], changeData(world, payment, action));
  });
  return action;
}

/** Decides everything that is open. */
export function decideOpen({ open }: World): void {
  while (open.length > 0) open.shift()?.();
}

const namesOf = ({ reference, metadata = {} }: PartBody): Names => ({
  reference: reference ?? null,
  metadata,
});
type Given<Body> = { readonly body: Body; readonly key: string | null };

/** Captures a part or the rest. Without a type, the capture is final. */
export function capture(world: World, payment: Payment, { body, key }: Given<CaptureBody>): Action {
  const { available_to_capture: left } = balancesOf(payment);
  const { amount = left, capture_type: type = 'Final' } = body;
  if (left < 1) refuseForbidden();
  if (amount > left) refuseInvalid('capture_value_greater_than_remaining_authorized');
  if (amount < 1) refuseInvalid('amount_invalid');
  return change(world, payment, {
    ...{ type: 'Capture', amount, isFinal: type === 'Final' || amount === left, key, names: namesOf(body) },
  });
}

/** Refunds a part or the rest of the captured money. */
export function refund(world: World, payment: Payment, { body, key }: Given<PartBody>): Action {
  const { available_to_refund: left } = balancesOf(payment);
  const { amount = left } = body;
  if (left < 1) refuseForbidden();
  if (amount > left) refuseInvalid('refund_amount_exceeds_balance');
  if (amount < 1) refuseInvalid('amount_invalid');
  return change(world, payment, { ...{ type: 'Refund', amount, isFinal: false, key, names: namesOf(body) } });
}

/** Releases everything that is held. */
export function release(world: World, payment: Payment, { body, key }: Given<PartBody>): Action {
  const { available_to_void: amount } = balancesOf(payment);
  if (amount < 1) refuseForbidden();
  return change(world, payment, { ...{ type: 'Void', amount, isFinal: true, key, names: namesOf(body) } });
}
