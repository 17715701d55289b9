import { z } from 'zod';
import { unreadOf, type LookupRequest, type Unknown } from '../../door.ts';
import type { Api } from '../exchange.ts';
import { readName } from '../names.ts';

/** The hours in which an authorisation is repeated under its key. A later request would be another order. */
const REPEATED_MS = 6 * 3_600_000;

/** The clocks of two machines may differ. */
const MARGIN_MS = 60_000;

/** Pages of five hundred movements. An account with more in six hours needs the order's id from a webhook. */
const PAGES_MAX = 20;
const PAGE_SIZE = 500;

const text = z.string().nullish().catch(null);

const page = z.object({
  transaction_details: z.array(
    z.object({
      transaction_info: z
        .object({ custom_field: text, paypal_reference_id: text, paypal_reference_id_type: text })
        .nullish()
        .catch(null),
    }),
  ),
  total_pages: z.int().nullish(),
});

/**
 * Finds the order of a key in PayPal's transaction search, which is up to three hours late. Finds only an order that was paid or
 * authorised. Null if the search has none, which proves nothing. The app needs the permission for the search.
 */
export async function findOrder(
  api: Api,
  { key, createdAt }: Pick<LookupRequest, 'key' | 'createdAt'>,
): Promise<{ readonly id: string } | Unknown | null> {
  const range = {
    start_date: dateText(createdAt.getTime() - MARGIN_MS),
    end_date: dateText(createdAt.getTime() + REPEATED_MS + MARGIN_MS),
  };
  for (let number = 1; number <= PAGES_MAX; number += 1) {
    const query = new URLSearchParams({
      ...{ ...range, fields: 'transaction_info' },
      ...{ page_size: String(PAGE_SIZE), page: String(number) },
    });
    const answer = await api.get(`/v1/reporting/transactions?${query.toString()}`);
    const read = answer.kind === 'answered' ? page.safeParse(answer.body).data : undefined;
    if (!read) return unreadOf(answer);
    const found = read.transaction_details.find(
      ({ transaction_info: info }) =>
        info?.paypal_reference_id_type === 'ODR' && readName(info.custom_field)?.key === key,
    )?.transaction_info?.paypal_reference_id;
    if (found) return { id: found };
    if (number >= (read.total_pages ?? 0)) return null;
  }
  return null;
}

/** Writes a time as PayPal reads it, in whole seconds. */
const dateText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
