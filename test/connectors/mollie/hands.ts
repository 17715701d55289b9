import { known } from '../kit/account.ts';
import {
  capturePayment,
  createPayment,
  decideOpen,
  end,
  expire,
  fail,
  pay,
  refundPayment,
  release,
  tell,
} from './payments.ts';
import type { Chargeback, MollieWorld, Part, Payment } from './world.ts';

type Decision = 'approve' | 'refuse' | 'nothing';

/** Lets the buyer decide. Returns the address to which the page sends the buyer. */
export function decideAtPage(world: MollieWorld, payment: Payment, decision: Decision): string | null {
  if (decision === 'approve') pay(world, payment);
  if (decision === 'refuse' && payment.status === 'open') end(world, payment);
  return payment.redirectUrl;
}

/** The events that a test decides, and the acts of people at Mollie. Each names a payment by its id. */
export function createHands(world: MollieWorld) {
  const find = (id: string): Payment => known(world.payments, id);
  const person = (payment: Payment, minor: number) => ({
    ...{ amount: { ...payment.amount, minor }, metadata: null, key: null },
  });
  return {
    decide: (id: string, decision: Decision): string | null => decideAtPage(world, find(id), decision),
    fail: (id: string, reason: string | null = null): void => fail(world, find(id), reason),
    expire: (id: string): void => expire(world, find(id)),
    /** Lets another system of the merchant create so many payments. */
    makeOthers: (count: number): void => {
      for (let made = 0; made < count; made += 1) createPayment(world, OTHER, null);
    },
    /** Decides all captures and refunds that wait. */
    decideOpen: (): void => decideOpen(world),
    /** The end of the next capture or refund. */
    endNext: (ending: 'failed' | 'canceled'): void => void world.nextEnds.push(ending),
    /** Lets open payments of a method be canceled. */
    letCancel: (method: string): void => void world.cancelable.add(method),
    /** Leaves releases without the bank's answer, or answers them again. */
    slowBank: (isSlow: boolean): void => void (world.bankIsSlow = isSlow),
    /** Leaves out when payments that ended were authorised, or shows it again. */
    hideAuthorizedAt: (hides: boolean): void => void (world.hidesAuthorizedAt = hides),
    /** Answers a refused request of a key in the same way again, or works on each repeat anew. */
    keepRefusals: (keeps: boolean): void => void (world.keepsRefusals = keeps),
    /** The status of the error for a declined card token. */
    declineAs: (status: 400 | 422): void => void (world.declinedAs = status),
    capture: (id: string, minor: number): string => {
      const made = capturePayment(world, find(id), person(find(id), minor));
      decideOpen(world);
      return made.id;
    },
    refund: (id: string, minor: number): string => {
      const made = refundPayment(world, find(id), person(find(id), minor));
      decideOpen(world);
      return made.id;
    },
    release: (id: string): void => release(world, find(id)),
    /** Fails a refund after its success. */
    failRefund: (id: string): void => {
      for (const payment of world.payments.values())
        for (const refund of payment.refunds) if (refund.id === id) failPart(world, payment, refund);
    },
    chargeBack: (id: string, minor: number, reason: string | null = null): string => {
      const payment = find(id);
      const made: Chargeback = {
        ...{ id: world.newId('chb'), amount: { ...payment.amount, minor }, reason },
        ...{ createdAt: world.now(), reversedAt: null },
      };
      payment.chargebacks.push(made);
      tell(world, payment);
      return made.id;
    },
    reverseChargeback: (id: string): void => {
      for (const payment of world.payments.values())
        for (const each of payment.chargebacks)
          if (each.id === id) {
            each.reversedAt = world.now();
            tell(world, payment);
          }
    },
  };
}

/** A payment of another system, without our metadata. */
const OTHER = {
  ...{ amount: { currency: 'EUR', value: '5.00' }, description: 'Another system' },
  redirectUrl: 'https://other.example/back',
};

function failPart(world: MollieWorld, payment: Payment, part: Part): void {
  part.status = 'failed';
  tell(world, payment);
}
