import type { Unknown, LookupRequest } from '../../door.ts';
import { listPage } from '../api/answers.ts';
import type { Answer, Api } from '../api/exchange.ts';
import { OPERATION } from '../model/names.ts';
import {
  causeOf,
  PAYMENT_INTENTS,
  readIntent,
  readPayment,
  SETUP_INTENTS,
  unknown,
  type Intent,
} from '../api/read-payment.ts';

/** Pages of a hundred. A busy account makes more in a day, but there the search has answered before. */
export const PAGES_MAX = 10;

type Sought = Pick<LookupRequest, 'key' | 'reference' | 'money'> & { readonly createdAt: Date | null };

/** Finds the intent of an authorisation: by its id, by a search, and then in the list, which lacks nothing. */
export async function findAuthorization(api: Api, sought: Sought): Promise<Intent | Unknown | null> {
  const { key, reference, money } = sought;
  if (reference !== null) {
    const read = await readPayment(api, reference);
    if ('unknown' in read) return read.unknown;
    if (read.intent?.metadata[OPERATION] === key) return read.intent;
  }
  if (money.amount > 0) {
    const found = await search(api, key);
    if (found !== null) return found;
  }
  return inList(api, sought);
}

/** Searches by our key. The index is late by a minute, and accounts in India have none: a refusal leads to the list. */
async function search(api: Api, key: string): Promise<Intent | Unknown | null> {
  const query = `metadata['${OPERATION}']:'${key}'`;
  const answer = await api.get(`${PAYMENT_INTENTS}/search`, { query, expand: ['data.latest_charge'] });
  if (answer.kind === 'refused') return null;
  if (answer.kind === 'unknown') return notFound(answer);
  return keyed(answer.body, key)?.found ?? null;
}

/** Reads the intent of our key from a page. Undefined for an unreadable page. */
function keyed(body: unknown, key: string) {
  const page = listPage.safeParse(body).data;
  if (!page) return undefined;
  const intents = page.data.flatMap((item) => readIntent(item) ?? []);
  const found = intents.find(({ metadata }) => metadata[OPERATION] === key) ?? null;
  return { found, last: intents.at(-1)?.id ?? null, more: page.has_more };
}

const MINUTE_S = 60;
/** The time in which a request is repeated. A later repeat would be a new request. */
const REPEATED_S = 24 * 3_600;

async function inList(api: Api, { key, money, createdAt }: Sought): Promise<Intent | Unknown | null> {
  const path = money.amount > 0 ? PAYMENT_INTENTS : SETUP_INTENTS;
  const from = createdAt && Math.floor(createdAt.getTime() / 1_000) - MINUTE_S;
  let after: string | null = null;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const answer = await api.get(path, {
      ...(from !== null && { created: { gte: from, lte: from + REPEATED_S } }),
      ...(after !== null && { starting_after: after }),
      ...(money.amount > 0 && { expand: ['data.latest_charge'] }),
      limit: 100,
    });
    if (answer.kind !== 'answered') return notFound(answer);
    const read = keyed(answer.body, key);
    if (read === undefined) return unknown('unreadable').unknown;
    if (read.found !== null || !read.more || read.last === null) return read.found;
    after = read.last;
  }
  return null;
}

/** Tells why a list brought nothing. A network without any answer says that nothing at all was sent. */
function notFound(answer: Exclude<Answer, { readonly kind: 'answered' }>): Unknown {
  const isAway = answer.kind === 'unknown' && answer.unknown.sent === false && !answer.unknown.refusedAs;
  return { kind: 'unknown', cause: causeOf(answer), ...(isAway && { sent: false }) };
}
