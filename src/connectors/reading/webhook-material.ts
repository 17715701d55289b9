import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import type { HttpClient } from '../../platform/http/http-client.ts';
import type { Connector } from '../interface/connector.ts';
import type { NamedMaterial, WebhookRequest } from '../notices/webhook.ts';

/**
 * The texts that some providers publish for the checks of their webhooks, such as certificates. The texts stay in memory for an
 * hour. A restart fetches them again.
 */
export type WebhookMaterial = {
  /** Fetches what a webhook's check needs. `none` if the check needs nothing. Never throws. */
  of(
    paymentServiceId: string,
    connector: Pick<Connector, 'webhooks'>,
    request: WebhookRequest,
  ): Promise<Fetched>;
};

/**
 * The text of an address that a webhook names.
 *
 * - `forbidden`: the connector does not name the host, or the host has no such text. The webhook is forged.
 * - `unavailable`: the host did not answer, or too many fetches of the service are under way. The provider must send the webhook again.
 */
export type Fetched =
  | { readonly kind: 'none' | 'forbidden' | 'unavailable' }
  | { readonly kind: 'text'; readonly text: string };

/** Time limit of a fetch. The provider waits meanwhile. */
const DEADLINE_MS = 5_000;
const TEXT_BYTES_MAX = 64 * 1024;

const KEPT_MS = 3_600_000;

// Forged webhooks could name a new address each, so every payment service has small limits of its own.
const SERVICES_MAX = 1_000;
const KEPT_MAX = 5;
const UNDER_WAY_MAX = 2;
const UNDER_WAY_OF_ALL_MAX = 64;

type Kept = { readonly fetched: Fetched; readonly untilMs: number };

/** The texts of one payment service, and the fetches under way. */
type Shelf = { readonly kept: LRUCache<string, Kept>; readonly underWay: Map<string, Promise<Fetched>> };

export function createWebhookMaterial(http: HttpClient, clock: Clock): WebhookMaterial {
  const shelves = new LRUCache<string, Shelf>({ max: SERVICES_MAX });
  let underWay = 0;
  const fetchInto = async ({ kept }: Shelf, url: string): Promise<Fetched> => {
    underWay += 1;
    const fetched = await fetchText(http, url).finally(() => (underWay -= 1));
    if (fetched.kind === 'text') kept.set(url, { fetched, untilMs: clock.now().getTime() + KEPT_MS });
    return fetched;
  };
  const take = (shelf: Shelf, url: string): Promise<Fetched> => {
    const known = shelf.kept.get(url);
    if (known && clock.now().getTime() < known.untilMs) return Promise.resolve(known.fetched);
    const begun = shelf.underWay.get(url);
    if (begun) return begun;
    if (shelf.underWay.size >= UNDER_WAY_MAX || underWay >= UNDER_WAY_OF_ALL_MAX)
      return Promise.resolve({ kind: 'unavailable' });
    const begins = fetchInto(shelf, url).finally(() => shelf.underWay.delete(url));
    shelf.underWay.set(url, begins);
    return begins;
  };
  return {
    of: async (paymentServiceId, { webhooks }, request) => {
      const named = nameOf(webhooks, request);
      if (named === null) return { kind: 'none' };
      if (named === 'forbidden' || !isOfHost(named)) return { kind: 'forbidden' };
      const shelf = shelves.get(paymentServiceId) ?? newShelf();
      shelves.set(paymentServiceId, shelf);
      return take(shelf, named.url);
    },
  };
}

const newShelf = (): Shelf => ({ kept: new LRUCache({ max: KEPT_MAX }), underWay: new Map() });

/** Returns the connector's text. A connector that throws cannot check the webhook. */
function nameOf(
  webhooks: Connector['webhooks'],
  request: WebhookRequest,
): NamedMaterial | null | 'forbidden' {
  try {
    return webhooks?.material?.(request) ?? null;
  } catch {
    return 'forbidden';
  }
}

/** True if the address belongs to one of the hosts. A host that begins with a dot stands for all hosts below it. */
function isOfHost({ url: text, hosts }: NamedMaterial): boolean {
  const url = URL.parse(text);
  return (
    url !== null && hosts.some((host) => (host.startsWith('.') ? url.host.endsWith(host) : url.host === host))
  );
}

async function fetchText(http: HttpClient, url: string): Promise<Fetched> {
  const answer = await http.send({
    ...{ method: 'GET', url, headers: {}, deadlineMs: DEADLINE_MS, replyBytesMax: TEXT_BYTES_MAX },
    pool: `material:${URL.parse(url)?.host ?? ''}`,
    repeatable: true,
  });
  if ('failure' in answer) {
    const { kind } = answer.failure;
    return { kind: kind === 'invalid_url' || kind === 'forbidden_address' ? 'forbidden' : 'unavailable' };
  }
  const { status, body } = answer.reply;
  if (status === 200) return { kind: 'text', text: body };
  return { kind: status >= 400 && status < 500 && status !== 429 ? 'forbidden' : 'unavailable' };
}
