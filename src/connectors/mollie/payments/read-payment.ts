import type { z } from 'zod';
import { unreadOf, type Unknown } from '../../door.ts';
import { pageOf, payment as paymentForm, type Payment } from '../answers.ts';
import { isMissing } from '../errors.ts';
import { parse, type Api } from '../exchange.ts';

export const PAYMENTS = '/v2/payments';

/** Returns the path of a payment, or of a part of a payment. */
export const paymentPath = (id: string, part = ''): string => `${PAYMENTS}/${encodeURIComponent(id)}${part}`;

export const UNREADABLE: Unknown = { kind: 'unknown', cause: 'unreadable' };

const MODES = { production: 'live', sandbox: 'test' } as const;

/** Reads a payment in an answer. Null for another form, and for a payment of the other mode. */
export function parsePayment({ environment }: Pick<Api, 'environment'>, body: unknown): Payment | null {
  const read = parse(paymentForm, body);
  return read?.mode === MODES[environment] ? read : null;
}

/** Reads a payment. Null if Mollie does not have the payment. */
export async function readPayment(api: Api, id: string): Promise<Payment | Unknown | null> {
  const answer = await api.get(paymentPath(id));
  if (answer.kind === 'refused' && isMissing(answer.error)) return null;
  return answer.kind === 'answered' ? (parsePayment(api, answer.body) ?? UNREADABLE) : unreadOf(answer);
}

/** The most items of a page. */
const PAGE_SIZE = 250;

/** The most pages of one list. */
const PAGES_MAX = 20;

/** The list of a payment, with the form of an item. */
export type Part<Item> = { readonly name: string; readonly form: z.ZodType<Item> };

/**
 * Reads a list, page by page. `isLast` ends the reading after an item. Null if Mollie does not have the object of the list. A list
 * with more pages is unknown, because the item may be on one of these.
 */
export async function readList<Item>(
  api: Api,
  path: string,
  { name, form }: Part<Item>,
  isLast: (item: Item) => boolean = () => false,
): Promise<readonly Item[] | Unknown | null> {
  const items: Item[] = [];
  let from = '';
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer = await api.get(`${path}?limit=${PAGE_SIZE}${from}`);
    if (answer.kind === 'refused' && isMissing(answer.error)) return null;
    if (answer.kind !== 'answered') return unreadOf(answer);
    const read = parse(pageOf(name, form), answer.body);
    if (!read) return UNREADABLE;
    const end = read.items.findIndex(isLast);
    items.push(...(end === -1 ? read.items : read.items.slice(0, end + 1)));
    const next = read.next === null ? null : nextOf(read.next);
    if (end !== -1 || next === null) return items;
    from = `&from=${encodeURIComponent(next)}`;
  }
  return UNREADABLE;
}

/** Returns where the next page begins. The address itself is not called, because it came in an answer. */
const nextOf = (href: string): string | null => URL.parse(href)?.searchParams.get('from') ?? null;
