import { isCancelable } from './payments.ts';
import { amountView, sumOf, type Chargeback, type MollieWorld, type Part, type Payment } from './world.ts';

const API = 'https://api.mollie.com/v2';

const link = (href: string, type = 'application/hal+json') => ({ href, type });

const at = (name: string, moment: Date | null): object =>
  moment === null ? {} : { [name]: moment.toISOString().replace(/\.\d{3}Z$/, '+00:00') };

const ENDED: ReadonlySet<string> = new Set(['canceled', 'expired', 'failed', 'paid']);

/** Mollie may leave out metadata that nobody gave. */
const metadataView = (metadata: unknown): object => (metadata === null ? {} : { metadata });

export function paymentView(world: MollieWorld, payment: Payment): object {
  const { id, amount, metadata, method, status, captureMode, sequenceType, customerId } = payment;
  const self = `${API}/payments/${id}`;
  return {
    ...{ resource: 'payment', id, mode: 'test', amount: amountView(amount), method, status },
    ...metadataView(metadata),
    ...{ description: payment.description, sequenceType, profileId: 'pfl_double' },
    ...(method === 'creditcard' && { captureMode }),
    ...(captureMode === 'manual' && {
      amountCaptured: amountView({ ...amount, minor: sumOf(payment.captures) }),
    }),
    ...(customerId !== null && { customerId }),
    ...(payment.mandateId !== null && { mandateId: payment.mandateId }),
    ...(payment.redirectUrl !== null && { redirectUrl: payment.redirectUrl }),
    ...(payment.webhookUrl !== null && { webhookUrl: payment.webhookUrl }),
    ...(status === 'open' || status === 'authorized' ? { isCancelable: isCancelable(world, payment) } : {}),
    ...at('createdAt', payment.createdAt),
    ...(status === 'open' && at('expiresAt', payment.expiresAt)),
    ...(!(world.hidesAuthorizedAt && ENDED.has(status)) && at('authorizedAt', payment.authorizedAt)),
    ...at('paidAt', payment.paidAt),
    ...at('canceledAt', payment.canceledAt),
    ...at('expiredAt', payment.expiredAt),
    ...at('failedAt', payment.failedAt),
    ...detailsOf(payment),
    _links: {
      self: link(self),
      ...(status === 'open' && payment.hasPage && { checkout: link(pageOf(world, id), 'text/html') }),
      ...(payment.captures.length > 0 && { captures: link(`${self}/captures`) }),
      ...(payment.refunds.length > 0 && { refunds: link(`${self}/refunds`) }),
      ...(payment.chargebacks.length > 0 && { chargebacks: link(`${self}/chargebacks`) }),
    },
  };
}

const pageOf = ({ pages }: MollieWorld, id: string): string => `${pages}/checkout?payment=${id}`;

function detailsOf({ method, status, failureReason }: Payment): object {
  if (method !== 'creditcard' || status === 'open') return {};
  return {
    details: {
      ...{ cardNumber: '9996', cardLabel: 'Visa', cardCountryCode: 'NL', cardHolder: 'A. Walsh' },
      ...(failureReason !== null && { failureReason, failureMessage: 'The payment failed.' }),
    },
  };
}

/** Shows a capture or a refund. */
export const partView = (payment: Payment, { id, amount, status, metadata, createdAt }: Part): object => ({
  ...{ resource: id.startsWith('re_') ? 'refund' : 'capture', id, mode: 'test', paymentId: payment.id },
  ...{ amount: amountView(amount), status, ...metadataView(metadata), ...at('createdAt', createdAt) },
  _links: { payment: link(`${API}/payments/${payment.id}`) },
});

export const chargebackView = (payment: Payment, given: Chargeback): object => ({
  ...{ resource: 'chargeback', id: given.id, paymentId: payment.id, amount: amountView(given.amount) },
  ...(given.reason !== null && { reason: { code: given.reason, description: 'A reason.' } }),
  ...at('createdAt', given.createdAt),
  ...at('reversedAt', given.reversedAt),
  _links: { payment: link(`${API}/payments/${payment.id}`) },
});

const LIMIT_MAX = 250;
const LIMIT = 50;

/** Shows a page of a list. `from` is the id of the first item. */
export function listView<Item extends { readonly id: string }>(
  name: string,
  items: readonly Item[],
  { path, query, view }: { path: string; query: URLSearchParams; view: (item: Item) => object },
): object {
  const limit = Math.min(Number(query.get('limit') ?? LIMIT), LIMIT_MAX);
  const from = query.get('from');
  const start = from === null ? 0 : items.findIndex(({ id }) => id === from);
  const page = items.slice(start, start + limit);
  const next = items[start + limit];
  return {
    count: page.length,
    _embedded: { [name]: page.map(view) },
    _links: {
      self: link(`${API}${path}`),
      next: next ? link(`${API}${path}?from=${next.id}&limit=${limit}`) : null,
    },
  };
}
