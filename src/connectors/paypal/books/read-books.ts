import { z } from 'zod';
import {
  timeOf,
  unreadOf,
  type BooksRequest,
  type BooksState,
  type FoundPayment,
  type Notice,
  type PaymentOfRequest,
  type ProviderBooks,
  type Unknown,
} from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import { isMissing } from '../errors.ts';
import type { EventOf } from '../event.ts';
import type { Api } from '../exchange.ts';
import { orderPath } from '../payments/read-order.ts';
import { authorizationNotices } from '../webhooks/authorization-notices.ts';
import { linkedId, orderOf, paymentResource, type PaymentResource } from '../webhooks/event.ts';
import { captureNotices, refundNotices } from '../webhooks/money-notices.ts';

const list = z
  .array(paymentResource)
  .nullish()
  .transform((given) => given ?? []);

/** An order with its payments, in the form in which webhooks tell them. */
const orderBooks = z.object({
  id: z.string().min(1),
  status: z.string(),
  intent: z.string(),
  purchase_units: z.tuple([
    z.object({ payments: z.object({ authorizations: list, captures: list, refunds: list }).nullish() }),
  ]),
});

type OrderBooks = z.output<typeof orderBooks>;
type Payments = Readonly<Record<'authorizations' | 'captures' | 'refunds', readonly PaymentResource[]>>;

/**
 * Reads a payment by its order, which has all authorisations, captures and refunds. Money that PayPal took back from the merchant
 * is in webhooks alone. Null if PayPal has no such order.
 */
export async function readBooks(
  api: Api,
  { reference }: BooksRequest,
): Promise<ProviderBooks | Unknown | null> {
  const read = await readResource(api, orderPath(reference), orderBooks);
  if (read === null || 'kind' in read) return read;
  const payments = paymentsOf(read.resource);
  return {
    ...{ kind: 'books', state: stateOf(read.resource, payments), authorized: authorizedOf(payments) },
    notices: noticesOf(payments),
  };
}

/** Reads the payments of the order. The objects inside an order may not name the order again. */
function paymentsOf({ id, purchase_units: [{ payments }] }: OrderBooks): Payments {
  const named = (each: PaymentResource): PaymentResource => ({
    ...each,
    supplementary_data: {
      related_ids: {
        ...{ authorization_id: null, capture_id: null },
        ...each.supplementary_data?.related_ids,
        order_id: id,
      },
    },
  });
  return {
    authorizations: (payments?.authorizations ?? []).map(named),
    captures: (payments?.captures ?? []).map(named),
    refunds: (payments?.refunds ?? []).map(named),
  };
}

/** Only the latest authorisation counts: a renewal ends the first one, and that end is no void. */
const noticesOf = ({ authorizations, captures, refunds }: Payments): readonly Notice[] => [
  ...authorizations.slice(-1).flatMap((each) => authorizationNotices(asTold(each, each.update_time))),
  ...captures.flatMap((each) => captureNotices(asTold(each, each.create_time))),
  ...refunds.flatMap((each) => refundNotices(asTold(each, each.create_time))),
];

const asTold = (resource: PaymentResource, at: string | null | undefined): EventOf<PaymentResource> => ({
  id: resource.id,
  type: '',
  occurredAt: timeOf(at),
  resource,
});

const IN_ORDER: Readonly<Record<string, BooksState | undefined>> = { VOIDED: 'refused', COMPLETED: 'closed' };

const OF_AUTHORIZATION: Readonly<Record<string, BooksState | undefined>> = {
  ...{ CREATED: 'open', PARTIALLY_CAPTURED: 'open', CAPTURED: 'closed' },
  ...{ DENIED: 'refused', PENDING: 'pending' },
};

const OF_SALE: Readonly<Record<string, BooksState | undefined>> = {
  ...{ PENDING: 'pending', DECLINED: 'refused', FAILED: 'refused' },
};

function stateOf({ status, intent }: OrderBooks, { authorizations, captures }: Payments): BooksState {
  if (status !== 'COMPLETED') return IN_ORDER[status] ?? 'pending';
  if (intent !== 'AUTHORIZE') return OF_SALE[captures[0]?.status ?? ''] ?? 'closed';
  const latest = authorizations.at(-1);
  if (!latest) return 'pending';
  if (latest.status !== 'VOIDED') return OF_AUTHORIZATION[latest.status] ?? 'pending';
  if (captures.some(hasMoney)) return 'closed';
  const [end] = authorizationNotices(asTold(latest, latest.update_time));
  return end?.outcome.kind === 'expired' ? 'expired' : 'voided';
}

const NO_MONEY: ReadonlySet<string> = new Set(['DECLINED', 'FAILED', 'DENIED', 'PENDING']);
const hasMoney = ({ status }: PaymentResource): boolean => !NO_MONEY.has(status);

function authorizedOf({ authorizations, captures }: Payments): ProviderBooks['authorized'] {
  const made =
    authorizations.findLast(hasMoney) ?? (authorizations.length === 0 ? captures.find(hasMoney) : null);
  return made ? moneyFromWire(made.amount) : null;
}

/** Finds the order of a capture. A capture of an authorisation may name only that one, which then names the order. */
export async function paymentOf(
  api: Api,
  { captureReference }: PaymentOfRequest,
): Promise<FoundPayment | Unknown | null> {
  const capture = await readResource(api, pathOf('captures', captureReference), paymentResource);
  if (capture === null || 'kind' in capture) return capture;
  const order = orderOf(capture.resource);
  if (order !== null) return { kind: 'found', reference: order };
  const id =
    capture.resource.supplementary_data?.related_ids?.authorization_id ??
    linkedId(capture.resource, 'authorizations');
  if (id === null) return null;
  const authorization = await readResource(api, pathOf('authorizations', id), paymentResource);
  if (authorization === null || 'kind' in authorization) return authorization;
  const reference = orderOf(authorization.resource);
  return reference === null ? null : { kind: 'found', reference };
}

const pathOf = (folder: 'captures' | 'authorizations', id: string): string =>
  `/v2/payments/${folder}/${encodeURIComponent(id)}`;

/** Reads an object. Null if PayPal has no such object. */
async function readResource<Resource>(
  api: Api,
  path: string,
  schema: z.ZodType<Resource>,
): Promise<{ readonly resource: Resource } | Unknown | null> {
  const answer = await api.get(path);
  if (answer.kind === 'refused' && isMissing(answer.error)) return null;
  const resource = answer.kind === 'answered' ? schema.safeParse(answer.body).data : undefined;
  return resource === undefined ? unreadOf(answer) : { resource };
}
