import {
  captureAuthorization,
  findAuthorization,
  findCapture,
  refundCapture,
  voidAuthorization,
} from './payments.ts';
import { moneyOf, type Amount, type PayPalWorld } from './world.ts';

/**
 * The hand of a person in PayPal's pages, or of another program with the same account. Each act follows PayPal's rules, throws
 * what PayPal refuses, and owes the event of the same call. PayPal copies the names of the payment. Amounts are in minor units
 * of PayPal's decimals.
 */
export const elsewhere = (world: PayPalWorld) => ({
  /** Captures a part or the rest of an authorisation. Returns the id of the capture. */
  capture: (authorizationId: string, minor?: number, isFinal = true): string => {
    const authorization = findAuthorization(world, authorizationId);
    const body = { ...amountIn(authorization, minor), final_capture: isFinal };
    return captureAuthorization(world, authorization, body, null).id;
  },
  /** Refunds a part or the rest of a capture. Returns the id of the refund. */
  refund: (captureId: string, minor?: number): string => {
    const capture = findCapture(world, captureId);
    return refundCapture(world, capture, amountIn(capture, minor), null).id;
  },
  void: (authorizationId: string): void =>
    voidAuthorization(world, findAuthorization(world, authorizationId)),
});

const amountIn = ({ amount: { currency } }: { readonly amount: Amount }, minor: number | undefined) =>
  minor === undefined ? {} : { amount: moneyOf(currency, minor) };
