import { cancelPayment, capturePayment, createPayment, refundPayment, release } from './payments.ts';
import { refuse } from './refusal.ts';
import { checked, newCapture, newCustomer, newPayment, newRefund } from './schemas.ts';
import { chargebackView, listView, partView, paymentView } from './views.ts';
import { readAmount, type MollieWorld, type Payment } from './world.ts';

/** A request to a call of the API. */
export type Called = {
  readonly world: MollieWorld;
  readonly id: string;
  readonly body: unknown;
  readonly query: URLSearchParams;
  readonly key: string | null;
};

export type Shown = { readonly status: number; readonly body: object | null };

export type Call = (called: Called) => Shown;

function findPayment({ payments }: MollieWorld, id: string): Payment {
  return payments.get(id) ?? refuse(404, `No payment exists with the id ${id}.`);
}

const made = (body: object): Shown => ({ status: 201, body });
const found = (body: object): Shown => ({ status: 200, body });

/** The calls of the API that the double has. */
export const CALLS: Readonly<Record<string, Call>> = {
  'GET /v2/methods': () =>
    found({ count: 1, _embedded: { methods: [{ resource: 'method', id: 'ideal', status: 'activated' }] } }),
  'POST /v2/payments': ({ world, body, key }) =>
    made(paymentView(world, createPayment(world, checked(newPayment, body), key))),
  'GET /v2/payments': ({ world, query }) =>
    found(
      listView('payments', [...world.payments.values()].toReversed(), {
        ...{ path: '/payments', query, view: (payment) => paymentView(world, payment) },
      }),
    ),
  'GET /v2/payments/{id}': ({ world, id }) => found(paymentView(world, findPayment(world, id))),
  'DELETE /v2/payments/{id}': ({ world, id }) => {
    const payment = findPayment(world, id);
    cancelPayment(world, payment);
    return found(paymentView(world, payment));
  },
  'POST /v2/payments/{id}/release-authorization': ({ world, id }) => {
    release(world, findPayment(world, id));
    return { status: 202, body: null };
  },
  'POST /v2/payments/{id}/captures': ({ world, id, body, key }) => {
    const payment = findPayment(world, id);
    const { amount, metadata = null } = checked(newCapture, body);
    const given = { amount: amount ? readAmount(amount) : null, metadata, key };
    return made(partView(payment, capturePayment(world, payment, given)));
  },
  'GET /v2/payments/{id}/captures': ({ world, id, query }) =>
    partsOf(findPayment(world, id), 'captures', query),
  'POST /v2/payments/{id}/refunds': ({ world, id, body, key }) => {
    const payment = findPayment(world, id);
    const { amount, metadata = null } = checked(newRefund, body);
    return made(
      partView(payment, refundPayment(world, payment, { amount: readAmount(amount), metadata, key })),
    );
  },
  'GET /v2/payments/{id}/refunds': ({ world, id, query }) =>
    partsOf(findPayment(world, id), 'refunds', query),
  'GET /v2/payments/{id}/chargebacks': ({ world, id, query }) => {
    const payment = findPayment(world, id);
    const view = (each: Payment['chargebacks'][number]) => chargebackView(payment, each);
    return found(
      listView('chargebacks', payment.chargebacks, { path: `/payments/${id}/chargebacks`, query, view }),
    );
  },
  'POST /v2/customers': ({ world, body }) => {
    checked(newCustomer, body);
    const id = world.newId('cst');
    world.customers.set(id, { id });
    return made({ resource: 'customer', id, mode: 'test' });
  },
  'DELETE /v2/customers/{id}': ({ world, id }) => {
    const mandate = world.mandates.get(id.split('/mandates/')[1] ?? '');
    if (!mandate || mandate.customerId !== id.split('/')[0]) return refuse(404, 'No such mandate exists.');
    if (!mandate.isValid) refuse(410, 'The mandate was revoked.');
    mandate.isValid = false;
    return { status: 204, body: null };
  },
};

function partsOf(payment: Payment, name: 'captures' | 'refunds', query: URLSearchParams): Shown {
  const path = `/payments/${payment.id}/${name}`;
  return found(listView(name, payment[name], { path, query, view: (each) => partView(payment, each) }));
}
