import type { Unknown } from '../../door.ts';
import { order as orderSchema, type Order } from '../answers.ts';
import { isMissing } from '../errors.ts';
import type { Answer, Api } from '../exchange.ts';

export const ORDERS = '/v2/checkout/orders';

/** Returns the path of an order. A reference is escaped, so that it stays one part of the path. */
export const orderPath = (reference: string): string => `${ORDERS}/${encodeURIComponent(reference)}`;

/** The request that completes an approved order. The step has a key of its own, because it is another request. */
export const completionOf = (
  reference: string,
  { key, capture }: { readonly key: string; readonly capture: boolean },
): readonly [path: string, key: string] => [
  `${orderPath(reference)}/${capture ? 'capture' : 'authorize'}`,
  `${key}:complete`,
];

/** An order, `null` if PayPal has none, or the reason why nothing is known. */
export type ReadOrder = { readonly order: Order | null } | { readonly unknown: Unknown };

/** Reads an order with its payments. Changes nothing. */
export async function readOrder(api: Api, reference: string): Promise<ReadOrder> {
  const answer = await api.get(orderPath(reference));
  if (answer.kind === 'refused' && isMissing(answer.error)) return { order: null };
  const order = answer.kind === 'answered' ? parseOrder(answer.body) : null;
  return order ? { order } : { unknown: unknownOf(answer) };
}

/** Reads an order from an answer. Null for any other body. */
export const parseOrder = (body: unknown): Order | null => orderSchema.safeParse(body).data ?? null;

/** Returns why an answer says nothing. An explicit refusal of a read says nothing about the payment either. */
function unknownOf(answer: Answer): Unknown {
  if (answer.kind === 'unknown') return answer.unknown;
  return { kind: 'unknown', cause: answer.kind === 'answered' ? 'unreadable' : 'server_error' };
}

/** The order of a payment to change, or the outcome of a change that was not sent. */
export type Subject = { readonly order: Order } | { readonly unknown: Unknown };

/**
 * Reads the order of a payment before a change of the payment. Without the order, the change is not sent. An earlier request of
 * the same key may have been sent.
 */
export async function readSubject(api: Api, reference: string): Promise<Subject> {
  const read = await readOrder(api, reference);
  if ('unknown' in read) return { unknown: { ...read.unknown, sent: false } };
  if (read.order) return { order: read.order };
  const refusedAs = 'unknown_service_resource';
  return { unknown: { kind: 'unknown', cause: 'server_error', sent: false, refusedAs } };
}
