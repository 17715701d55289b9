import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { PaymentLink } from '../../modules/payment-links/index.ts';

/**
 * The tie between a page and the browser that it was shown to: a cookie that scripts cannot read.
 *
 * The cookie is named by link. The cookie holds the link's token and a secret of the browser. The token serves the
 * return from a provider. The return address is stored in clear and must not hold the token.
 */
export type BrowserTie = { readonly token: string; readonly secret: string };

type Link = Pick<PaymentLink, 'merchantAccountId' | 'id'>;

/** Reads the tie of the requesting browser, or null. */
export function tieOf({ headers }: FastifyRequest, linkId: string): BrowserTie | null {
  const found = new RegExp(`(?:^|;\\s*)${nameOf(linkId)}=([\\w-]{22})\\.([\\w-]{22})(?:;|$)`).exec(
    headers.cookie ?? '',
  );
  return found?.[1] && found[2] ? { token: found[1], secret: found[2] } : null;
}

/** Ties the page to the browser until the browser is closed. An existing tie stays, so that other tabs work. */
export function tie(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  link: Link,
  token: string,
): BrowserTie {
  const known = tieOf(request, link.id);
  if (known?.token === token) return known;
  const made = { token, secret: app.ids.random(16).toString('base64url') };
  setCookie(app, reply, `${nameOf(link.id)}=${token}.${made.secret}`);
  return made;
}

/** Gives the browser a cookie for the pages of payment links alone, which scripts and other sites do not get. */
export function setCookie(app: App, reply: FastifyReply, cookie: string, more = ''): void {
  const secure = app.publicUrl.startsWith('https:') ? '; Secure' : '';
  void reply.header(
    'set-cookie',
    `${cookie}; Path=${pathOf(app, '/pay')}${more}; HttpOnly; SameSite=Lax${secure}`,
  );
}

/** Returns a path as browsers see it. A proxy may serve Paygraph under another path. */
export const pathOf = ({ publicUrl }: Pick<App, 'publicUrl'>, path: string): string =>
  `${new URL(publicUrl).pathname.replace(/\/$/, '')}${path}`;

const nameOf = (linkId: string): string => `pay_${linkId}`;

/**
 * Computes the form key: a digest under a key of the vault.
 *
 * The key proves that a form comes from this link's page in this browser. The key covers the gift cards on the
 * page.
 */
export const formKeyOf = (
  app: App,
  { merchantAccountId, id }: Link,
  { secret }: BrowserTie,
  slip: string,
): Promise<string> => app.vault.fingerprint(merchantAccountId, `payment page of ${id} in ${secret} ${slip}`);

/** The proof of a form's origin: the form's key and the gift cards on its page. */
export type FormCheck = { readonly formKey: string | null; readonly slip: string };

/** Tells whether a form is from its own page, so that the buyer pays exactly the amounts shown. */
export async function isFromPage(
  app: App,
  request: FastifyRequest,
  link: Link,
  { formKey: given, slip }: FormCheck,
): Promise<boolean> {
  const known = tieOf(request, link.id);
  if (known === null || given === null) return false;
  const [expected, received] = [Buffer.from(await formKeyOf(app, link, known, slip)), Buffer.from(given)];
  return expected.length === received.length && timingSafeEqual(expected, received);
}
