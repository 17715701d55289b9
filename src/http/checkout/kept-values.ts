import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { PaymentLink } from '../../modules/payment-links/index.ts';
import type { SealContext } from '../../platform/vault/vault.ts';
import { pageCookieOf, setCookie } from './csrf-token.ts';
import type { FormValues } from './submission.ts';

// The holder's name and the expiry date of the last try. A buyer does not type them again after a decline.
//
// Only the buyer's own browser stores them, for one link and for half an hour. The vault seals them. A number or a security
// code is never among them.

type Link = Pick<PaymentLink, 'merchantAccountId' | 'id'>;

type Kept = Pick<FormValues, 'expiry' | 'name' | 'stored'>;

type Content = Kept & {
  /** The browser's secret from `PageCookie`. */
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
};

/** The time for which a buyer may look for another card. */
const KEPT_MS = 30 * 60_000;

/** Keeps the values of a try in the requesting browser. */
export async function keepValues(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { link, values }: { readonly link: Link; readonly values: Kept },
): Promise<void> {
  const cookie = pageCookieOf(request, link.id);
  if (cookie === null) return;
  const { expiry, name, stored } = values;
  const content: Content = {
    ...{ expiry, name, stored, secret: cookie.secret },
    endsAt: app.clock.now().getTime() + KEPT_MS,
  };
  const sealed = await app.vault.seal(contextOf(link), JSON.stringify(content));
  setCookie(app, reply, `${nameOf(link.id)}=${sealed}`, `; Max-Age=${KEPT_MS / 1_000}`);
}

/** Reads the values of the last try in the requesting browser. Null if the browser keeps none, or after half an hour. */
export async function readKeptValues(
  app: App,
  request: FastifyRequest,
  link: Link,
): Promise<FormValues | null> {
  const sealed = sealedIn(request, link.id);
  const cookie = pageCookieOf(request, link.id);
  if (sealed === null || cookie === null) return null;
  // The text is forged, of another link, or sealed before a key rotation. The buyer types the values again.
  const text = await app.vault.open(contextOf(link), sealed).catch(() => null);
  // This process sealed the text that opens here.
  const content = text === null ? null : (JSON.parse(text) as Content);
  if (content?.secret !== cookie.secret || content.endsAt <= app.clock.now().getTime()) return null;
  const { expiry, name, stored } = content;
  return { expiry, name, stored, network: '', bank: null };
}

/** Removes the values from the requesting browser, after the payment. */
export function forgetValues(app: App, request: FastifyRequest, reply: FastifyReply, { id }: Link): void {
  if (sealedIn(request, id) !== null) setCookie(app, reply, `${nameOf(id)}=`, '; Max-Age=0');
}

const sealedIn = ({ headers }: FastifyRequest, linkId: string): string | null =>
  new RegExp(`(?:^|;\\s*)${nameOf(linkId)}=([\\w.-]{1,2000})(?:;|$)`).exec(headers.cookie ?? '')?.[1] ?? null;

const contextOf = ({ merchantAccountId, id }: Link): SealContext => ({
  merchantAccountId,
  table: 'payment_link',
  column: 'values of the form',
  rowId: id,
});

const nameOf = (linkId: string): string => `form_${linkId}`;
