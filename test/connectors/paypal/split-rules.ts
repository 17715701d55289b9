import { refuseIssue } from './refusal.ts';
import type { Json } from './json.ts';
import { readPart, textAt, wireAt, type Amount, type Wire } from './world.ts';

/** The merchant that does not exist. */
const MISSING_PAYEE = 'UNKNWNPAYEE22';

/** The fees of captures in minor units, by capture. */
const captured = new WeakMap<object, number>();

/** The fees that refunds of a capture gave back, in minor units. */
const refunded = new WeakMap<object, number>();

/** Refuses an unknown payee, and a fee without a payee or above the amount. */
export function checkSplits(unit: Wire, amount: Amount): void {
  checkPayee(wireAt(unit, 'payee'), '/purchase_units/0/payee');
  if (feeIn(unit, amount, '/purchase_units/0') !== null && wireAt(unit, 'payee') === null)
    refuseIssue('PLATFORM_FEES_NOT_SUPPORTED', '/purchase_units/0/payment_instruction/platform_fees');
}

function checkPayee(payee: Json | null, field: string): void {
  if (payee === null) return;
  const id = textAt(payee, 'merchant_id');
  if (id === MISSING_PAYEE) refuseIssue('PAYEE_ACCOUNT_INVALID', `${field}/merchant_id`);
}

/** Reads the fee of a request. Null without one. Refuses a fee above the amount. */
function feeIn(body: Json, amount: Amount, path: string): number | null {
  const fees = (wireAt(body, 'payment_instruction', 'platform_fees') ?? []) as readonly Wire[];
  const [fee] = fees;
  if (!fee) return null;
  const field = `${path}/payment_instruction/platform_fees/0`;
  checkPayee(wireAt(fee, 'payee'), `${field}/payee`);
  const { minor, currency } = readPart(wireAt(fee, 'amount') ?? {}, `${field}/amount`);
  if (currency !== amount.currency) refuseIssue('PLATFORM_FEE_CURRENCY_MISMATCH', `${field}/amount`);
  if (minor > amount.minor) refuseIssue('PLATFORM_FEE_EXCEEDED', `${field}/amount/value`);
  return minor;
}

/** Checks the fee of a capture. A fee needs an order with another payee. Returns the fee in minor units. */
export function checkCapturedFee(body: Json, unit: Wire | null, amount: Amount): number {
  const fee = feeIn(body, amount, '');
  if (fee !== null && (unit === null || wireAt(unit, 'payee') === null))
    refuseIssue('PLATFORM_FEES_NOT_SUPPORTED', '/payment_instruction/platform_fees');
  return fee ?? 0;
}

/** Keeps the fee of a capture. */
export const keepFee = (capture: object, fee: number): void => void captured.set(capture, fee);

/** Returns the fee in an order that is captured at once. */
export const feeOfUnit = (unit: Wire, amount: Amount): number => feeIn(unit, amount, '') ?? 0;

/** Takes a part of the captured fee back with a refund. Refuses more than is left of the fee. */
export function takeFeeBack(capture: object, body: Json, amount: Amount): void {
  const fee = feeIn(body, amount, '') ?? 0;
  const before = refunded.get(capture) ?? 0;
  if (before + fee > (captured.get(capture) ?? 0))
    refuseIssue('PLATFORM_FEE_EXCEEDED', '/payment_instruction/platform_fees/0/amount/value');
  refunded.set(capture, before + fee);
}
