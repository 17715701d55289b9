import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { equalTexts } from '../../platform/equal-texts.ts';
import type { PaymentLink } from '../../modules/payment-links/index.ts';

/**
 * The content of the cookie that binds a payment page to its browser. Scripts cannot read the cookie.
 *
 * Each link has its own cookie, with the link's token and a secret of the browser. The token serves the return
 * from a provider. The return address is stored in clear and must not hold the token.
 */
export type PageCookie = { readonly token: string; readonly secret: string };

type Link = Pick<PaymentLink, 'merchantAccountId' | 'id'>;

/** Reads the page cookie of the requesting browser, or returns null. */
export function pageCookieOf({ headers }: FastifyRequest, linkId: string): PageCookie | null {
  const found = new RegExp(`(?:^|;\\s*)${nameOf(linkId)}=([\\w-]{22})\\.([\\w-]{22})(?:;|$)`).exec(
    headers.cookie ?? '',
  );
  return found?.[1] && found[2] ? { token: found[1], secret: found[2] } : null;
}

/**
 * Binds the page to the browser until the browser is closed. An existing cookie stays, so that other tabs work.
 */
export function setPageCookie(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  link: Link,
  token: string,
): PageCookie {
  const known = pageCookieOf(request, link.id);
  if (known?.token === token) return known;
  const made = { token, secret: app.ids.random(16).toString('base64url') };
  setCookie(app, reply, `${nameOf(link.id)}=${token}.${made.secret}`);
  return made;
}

/** Sets a cookie for the pages of payment links. Scripts and other sites cannot read the cookie. */
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
 * page. The form of a bank debit has a key of its own, which covers the text of the mandate too.
 */
export const formKeyOf = (
  app: App,
  { merchantAccountId, id }: Link,
  { secret }: PageCookie,
  { sealedCards, mandate }: Shown,
): Promise<string> =>
  app.vault.fingerprint(
    merchantAccountId,
    `payment page of ${id} in ${secret} ${sealedCards}${mandate && ` ${mandate}`}`,
  );

/** The parts of a page that its form key covers. `mandate`: empty except in the form of a bank debit. */
export type Shown = { readonly sealedCards: string; readonly mandate: string };

/** The proof of a form's origin: the form's key and the content of its page. */
export type FormCheck = Shown & { readonly formKey: string | null };

/** True if a form is from its own page, so that the buyer pays exactly the shown amounts. */
export async function isFromPage(
  app: App,
  request: FastifyRequest,
  link: Link,
  { formKey: given, ...shown }: FormCheck,
): Promise<boolean> {
  const known = pageCookieOf(request, link.id);
  if (known === null || given === null) return false;
  return equalTexts(await formKeyOf(app, link, known, shown), given);
}
