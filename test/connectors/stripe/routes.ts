import { isListedOf } from './balance.ts';
import { closeDispute, updateDispute } from './disputes.ts';
import { listAt, textAt, type Values } from './form.ts';
import {
  cancelPayment,
  capturePayment,
  confirmPayment,
  createPayment,
  findPayment,
  incrementPayment,
  updatePayment,
} from './intents.ts';
import { attach, createCustomer, createMethod, detach, findCustomer, findMethod } from './methods.ts';
import { byValues, isWithin, list, searchPayments, type Wire } from './reads.ts';
import { cancelRefund, createRefund } from './refunds.ts';
import { refuseMissing } from './refusal.ts';
import { cancelSetup, confirmSetup, createSetup } from './setups.ts';
import type { Payment, Setup, StripeWorld } from './world.ts';

/** A call of the API. Answers with an object, or refuses. */
export type Call = (world: StripeWorld, values: Values, id: string) => object;

/** The calls that the double knows. Files have a body of their own, so they are not here. */
export const CALLS: Readonly<Record<string, Call>> = {
  'GET /v1/account': ({ settings }) => account(settings.accountId),
  'GET /v1/balance_transactions': (world, values) =>
    list('/v1/balance_transactions', world.entries.values(), values, (each) => {
      const payout = textAt(values, 'payout');
      return (
        byValues(values, 'currency', 'source', 'type')(each) &&
        (payout === null || isListedOf(world, payout, String(each['id'])))
      );
    }),
  'GET /v1/balance_transactions/{id}': (world, _, id) => get(world.entries, 'balance_transaction', id),
  'GET /v1/charges': (world, values) =>
    list('/v1/charges', world.charges.values(), values, byValues(values, 'customer', 'payment_intent')),
  'GET /v1/charges/{id}': (world, _, id) => get(world.charges, 'charge', id),
  'GET /v1/customers': (world, values) =>
    list('/v1/customers', world.customers.values(), values, byValues(values, 'email')),
  'POST /v1/customers': (world, values) => createCustomer(world, values),
  'GET /v1/customers/{id}': (world, _, id) => get(world.customers, 'customer', id),
  'GET /v1/disputes': (world, values) =>
    list('/v1/disputes', world.disputes.values(), values, byValues(values, 'charge', 'payment_intent')),
  'GET /v1/disputes/{id}': (world, _, id) => get(world.disputes, 'dispute', id),
  'POST /v1/disputes/{id}': (world, values, id) =>
    updateDispute(world, get(world.disputes, 'dispute', id), values),
  'POST /v1/disputes/{id}/close': (world, _, id) => closeDispute(world, get(world.disputes, 'dispute', id)),
  'GET /v1/events': (world, values) =>
    list('/v1/events', world.events.values(), values, (each) => isOfType(each, values)),
  'GET /v1/events/{id}': (world, _, id) => get(world.events, 'event', id),
  'GET /v1/files/{id}': (world, _, id) => get(world.files, 'file', id),
  'GET /v1/mandates/{id}': (world, _, id) => get(world.mandates, 'mandate', id),
  'GET /v1/payment_intents': (world, values) =>
    list('/v1/payment_intents', wires(world.payments), values, byValues(values, 'customer')),
  'POST /v1/payment_intents': createPayment,
  'GET /v1/payment_intents/search': searchPayments,
  'GET /v1/payment_intents/{id}': (world, _, id) => findPayment(world, id).wire,
  'POST /v1/payment_intents/{id}': (world, values, id) =>
    updatePayment(world, findPayment(world, id), values),
  'POST /v1/payment_intents/{id}/cancel': (world, values, id) =>
    cancelPayment(world, findPayment(world, id), values),
  'POST /v1/payment_intents/{id}/capture': (world, values, id) =>
    capturePayment(world, findPayment(world, id), values),
  'POST /v1/payment_intents/{id}/confirm': (world, values, id) =>
    confirmPayment(world, findPayment(world, id), values),
  'POST /v1/payment_intents/{id}/increment_authorization': (world, values, id) =>
    incrementPayment(world, findPayment(world, id), values),
  'GET /v1/payment_methods': (world, values) =>
    list('/v1/payment_methods', wires(world.methods), values, byValues(values, 'customer', 'type')),
  'POST /v1/payment_methods': (world, values) => createMethod(world, values).wire,
  'GET /v1/payment_methods/{id}': (world, _, id) => get(world.methods, 'PaymentMethod', id).wire,
  'POST /v1/payment_methods/{id}/attach': (world, values, id) => {
    const method = findMethod(world, id);
    attach(world, method, findCustomer(world, textAt(values, 'customer') ?? '').id);
    return method.wire;
  },
  'POST /v1/payment_methods/{id}/detach': (world, _, id) => {
    const method = get(world.methods, 'PaymentMethod', id);
    detach(world, method);
    return method.wire;
  },
  'GET /v1/payouts': (world, values) =>
    list(
      '/v1/payouts',
      world.payouts.values(),
      values,
      (each) => byValues(values, 'destination', 'status')(each) && isWithin(each, values, 'arrival_date'),
    ),
  'GET /v1/payouts/{id}': (world, _, id) => get(world.payouts, 'payout', id),
  'GET /v1/refunds': (world, values) =>
    list('/v1/refunds', world.refunds.values(), values, byValues(values, 'charge', 'payment_intent')),
  'POST /v1/refunds': createRefund,
  'GET /v1/refunds/{id}': (world, _, id) => get(world.refunds, 'refund', id),
  'POST /v1/refunds/{id}/cancel': (world, _, id) => cancelRefund(get(world.refunds, 'refund', id)),
  'POST /v1/tokens': (world) => ({
    ...{ id: world.newId('tok'), object: 'token', type: 'card', used: false, livemode: false },
  }),
  'GET /v1/setup_intents': (world, values) =>
    list('/v1/setup_intents', wires(world.setups), values, byValues(values, 'customer', 'payment_method')),
  'POST /v1/setup_intents': createSetup,
  'GET /v1/setup_intents/{id}': (world, _, id) => get(world.setups, 'setupintent', id).wire,
  'POST /v1/setup_intents/{id}/cancel': (world, values, id) =>
    cancelSetup(world, get(world.setups, 'setupintent', id), values),
  'POST /v1/setup_intents/{id}/confirm': (world, values, id) =>
    confirmSetup(world, get(world.setups, 'setupintent', id), values),
};

const get = <Value>(objects: ReadonlyMap<string, Value>, kind: string, id: string): Value =>
  objects.get(id) ?? refuseMissing(kind, id);

const wires = (
  objects: ReadonlyMap<string, Pick<Payment | Setup, 'wire'> | { readonly wire: object }>,
): object[] => [...objects.values()].map(({ wire }) => wire);

function isOfType(event: Wire, values: Values): boolean {
  const type = String(event['type']);
  const wanted = textAt(values, 'type');
  const any = listAt(values, 'types');
  const isWanted =
    wanted === null || (wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted);
  return isWanted && (any === null || any.includes(type));
}

const account = (id: string): object => ({
  ...{ id, object: 'account', business_type: null, capabilities: { card_payments: 'active' } },
  ...{ charges_enabled: true, country: 'US', default_currency: 'usd', details_submitted: true },
  ...{ email: 'site@example.com', metadata: {}, payouts_enabled: true, type: 'standard' },
});
