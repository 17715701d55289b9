import type Stripe from 'stripe';
import { integerAt, isTrueAt, textAt, valueAt, type Values } from './form.ts';
import { refuseMissing, refuseParameter } from './refusal.ts';

/** The connected account that does not exist. Every other one of Stripe's form does. */
const MISSING_ACCOUNT = 'acct_unknown';
const ACCOUNT = /^acct_[A-Za-z0-9]{1,40}$/;

/** The part of a payment intent about a transfer. */
export type Transferring = Pick<
  Stripe.PaymentIntent,
  'amount' | 'application_fee_amount' | 'on_behalf_of' | 'transfer_data'
>;

/** Takes over the transfer and the fee of a payment. Refuses an unknown account, and a fee above the amount. */
export function takeTransfer(wire: Transferring, values: Values): void {
  const destination = textAt(values, 'transfer_data', 'destination');
  const behalf = textAt(values, 'on_behalf_of');
  const part = integerAt(values, 'transfer_data', 'amount');
  const fee = integerAt(values, 'application_fee_amount');
  checkAccount(destination, 'transfer_data[destination]');
  checkAccount(behalf, 'on_behalf_of');
  checkFee(fee, wire.amount, destination !== null);
  if (fee !== null && part !== null)
    refuseParameter(
      'You may only specify one of these parameters.',
      ...['transfer_data[amount]', 'parameters_exclusive'],
    );
  wire.application_fee_amount = fee;
  wire.on_behalf_of = behalf;
  if (destination !== null) wire.transfer_data = { destination, ...(part !== null && { amount: part }) };
}

function checkAccount(account: string | null, param: string): void {
  if (account !== null && (account === MISSING_ACCOUNT || !ACCOUNT.test(account)))
    refuseMissing('destination', account, param, 400);
}

function checkFee(fee: number | null, amount: number, hasTransfer: boolean): void {
  if (fee === null) return;
  const name = 'application_fee_amount';
  if (!hasTransfer) refuseParameter('A fee needs a transfer to a connected account.', name);
  if (fee < 0) refuseParameter('Invalid non-negative integer', name, 'parameter_invalid_integer');
  if (fee > amount) refuseParameter('The fee cannot be above the amount of the charge.', name);
}

/** The fees of a charge in minor units: taken with its captures, and given back with its refunds. */
type Fees = { taken: number; returned: number };
const feesOf = new WeakMap<Transferring, Fees>();

/** Returns the fee that the platform keeps of a payment. */
export const keptFee = (wire: Transferring): number => {
  const { taken, returned } = feesOf.get(wire) ?? NO_FEES;
  return taken - returned;
};

const NO_FEES: Fees = { taken: 0, returned: 0 };

/**
 * Takes the fee of a capture. A capture without a fee of its own takes that of the payment. Stripe documents no refusal for a
 * payment without a transfer, so the double is strict.
 */
export function takeFee(wire: Transferring, values: Values, amount: number): void {
  const fee = integerAt(values, 'application_fee_amount');
  checkFee(fee, amount, wire.transfer_data != null);
  if (valueAt(values, 'transfer_data') !== undefined && wire.transfer_data == null)
    refuseParameter('The payment has no transfer.', 'transfer_data');
  const { taken, returned } = feesOf.get(wire) ?? NO_FEES;
  feesOf.set(wire, { taken: taken + (fee ?? wire.application_fee_amount ?? 0), returned });
}

/** A refund with the charge that the refund is of. */
type Refunding = {
  readonly amount: number;
  readonly charge: Pick<Stripe.Charge, 'amount_captured' | 'amount_refunded'>;
};

/**
 * Takes back a transfer and a fee. The fee goes back in proportion to the refund, and the last refund takes the rest. Refuses what the
 * payment does not have.
 */
export function reverse(wire: Transferring, values: Values, { amount, charge }: Refunding): void {
  if (isTrueAt(values, 'reverse_transfer') && wire.transfer_data == null)
    refuseParameter('The charge has no associated transfer to reverse.', 'reverse_transfer');
  if (!isTrueAt(values, 'refund_application_fee')) return;
  const fees = feesOf.get(wire) ?? NO_FEES;
  if (fees.taken === 0)
    refuseParameter('The charge has no application fee to refund.', 'refund_application_fee');
  const { amount_captured: captured, amount_refunded: refunded } = charge;
  const part = Math.round((fees.taken * amount) / captured);
  const returned = refunded + amount === captured ? fees.taken : Math.min(fees.returned + part, fees.taken);
  feesOf.set(wire, { ...fees, returned });
}
