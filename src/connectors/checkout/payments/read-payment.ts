import { unreadOf, type Unknown } from '../../door.ts';
import { actions, found, payment, type Action } from '../answers.ts';
import type { Answer, Api } from '../exchange.ts';
import { paymentNamedIn, referencesOf } from '../names.ts';
import { decisionOf, isDecision, UNREADABLE, type WholePayment } from './payment-outcome.ts';

export const PAYMENTS = '/payments';

export const pathOf = (id: string): string => `${PAYMENTS}/${encodeURIComponent(id)}`;

/** A payment, the reason why nothing is known, or null if Checkout.com shows no such payment. */
type ReadPayment = WholePayment | Unknown | null;

/** Reads a payment, in the form of its first answer. */
export async function readPayment(api: Api, id: string): Promise<ReadPayment> {
  const answer = await api.get(pathOf(id));
  if (answer.kind === 'refused' && answer.status === 404) return null;
  const read = answer.kind === 'answered' ? payment.safeParse(answer.body).data : undefined;
  if (!read) return unreadOf(answer);
  const listed = await readActions(api, id);
  if ('kind' in listed) return listed;
  const decided = listed.find(isDecision);
  // The payment itself has no approval code. Its first action has the code.
  return { payment: decided ? { ...read, ...decisionOf(decided) } : read, actions: listed };
}

export const actionsPathOf = (id: string): string => `${pathOf(id)}/actions`;

/** Reads the operations on a payment, oldest first. Empty if Checkout.com has no such payment. */
export async function readActions(api: Api, id: string): Promise<readonly Action[] | Unknown> {
  const answer = await api.get(actionsPathOf(id));
  return actionsIn(answer) ?? unreadOf(answer);
}

/** Returns the operations in an answer, oldest first. Null for an answer without them. */
export function actionsIn(answer: Answer): readonly Action[] | null {
  if (answer.kind === 'refused' && answer.status === 404) return [];
  const read = answer.kind === 'answered' ? actions.safeParse(answer.body).data : undefined;
  return read?.toSorted((a, b) => atOf(a) - atOf(b)) ?? null;
}

const atOf = ({ processed_on: at }: Action): number =>
  at == null ? Number.MAX_SAFE_INTEGER : Date.parse(at);

type Sought = { readonly key: string; readonly reference: string | null };

/**
 * Finds the payment of an authorisation: by its id, or by our reference. Null if the search shows none, which proves nothing,
 * because the search may be late. A payment that is not readable as ours may be ours all the same.
 */
export async function findPayment(api: Api, { key, reference }: Sought): Promise<ReadPayment> {
  const ids = reference === null ? await search(api, key) : [reference];
  if ('kind' in ids) return ids;
  for (const id of ids) {
    const read = await readPayment(api, id);
    if (read !== null && ('kind' in read || isOf(read, key))) return read;
  }
  return ids.length === 0 ? null : UNREADABLE;
}

const isOf = ({ payment }: WholePayment, key: string): boolean => paymentNamedIn(payment)?.key === key;

/** A key has one payment. A few more entries cost nothing. */
const SEARCH_MAX = 10;

/** Searches the payments of a key. Nobody tells here whether the payment is a sale. */
async function search(api: Api, key: string): Promise<readonly string[] | Unknown> {
  const ids: string[] = [];
  for (const reference of referencesOf(key)) {
    const answer = await api.get(`${PAYMENTS}?reference=${reference}&limit=${SEARCH_MAX}`);
    const page = answer.kind === 'answered' ? found.safeParse(answer.body).data : undefined;
    if (!page) return unreadOf(answer);
    ids.push(...page.data.filter((each) => each.reference === reference).map(({ id }) => id));
  }
  return ids;
}
