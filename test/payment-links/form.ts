import type { Link } from './harness.ts';

export type Words = Readonly<Record<string, string>>;

/** The cookies and the form key of a browser that has loaded the page. */
export type Visit = { readonly cookies: Words; readonly formKey: string; readonly html: string };

const cookieOf = (cookies: Words): string =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');

/**
 * Returns a separate client address for each link, so that failures at one link block no other. Works where the
 * server trusts the header.
 */
function addressOf(url: string): string {
  const { pathname } = new URL(url);
  if (!addresses.has(pathname))
    addresses.set(pathname, `10.0.${addresses.size >> 8}.${addresses.size & 255}`);
  return addresses.get(pathname) ?? '';
}
const addresses = new Map<string, string>();

const headersOf = (url: string, cookies: Words): Words => ({
  ...{ cookie: cookieOf(cookies), 'x-forwarded-for': addressOf(url) },
});

/** Updates cookies after a reply. An expired cookie is removed. */
function after(cookies: Words, reply: Response): Words {
  const given = reply.headers.getSetCookie().map((line) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    return [name, line.includes('Max-Age=0') ? null : value] as const;
  });
  const all = { ...cookies, ...Object.fromEntries(given) };
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** Loads the page as a browser with these cookies. */
export async function visit({ url }: Pick<Link, 'url'>, cookies: Words = {}): Promise<Visit> {
  const reply = await fetch(url, { headers: headersOf(url, cookies) });
  const html = await reply.text();
  const formKey = /name="form_key" value="([^"]*)"/.exec(html)?.[1] ?? '';
  return { cookies: after(cookies, reply), formKey, html };
}

/** Sends a form of the page, and follows the redirect. `status` belongs to the answer to the form. */
export async function send(link: Pick<Link, 'url'>, { cookies, formKey }: Visit, fields: Words) {
  const reply = await fetch(link.url, {
    method: 'POST',
    redirect: 'manual',
    headers: headersOf(link.url, cookies),
    body: new URLSearchParams({ form_key: formKey, ...fields }),
  });
  const now = after(cookies, reply);
  const location = reply.headers.get('location');
  const html = await reply.text();
  const there = location === null ? null : await visit({ url: new URL(location, link.url).href }, now);
  const ownKey = /name="form_key" value="([^"]*)"/.exec(html)?.[1] ?? '';
  return { status: reply.status, location, ...(there ?? { cookies: now, formKey: ownKey, html }) };
}

/** Returns the key of the form of a bank debit. Empty on a page without that form. */
export const debitKeyOf = (html: string): string =>
  /<form class="bank"[^>]*>\s*<input type="hidden" name="form_key" value="([^"]*)"/.exec(html)?.[1] ?? '';

export const CARD_FIELDS = {
  ...{ method: 'card', number: '4111111111111111', expiry: '12/40', security_code: '123', name: 'Jane' },
};

export const addGiftCard = ({ number, pin }: { readonly number: string; readonly pin: string }) => ({
  ...{ method: 'add-gift-card', gift_number: number, gift_pin: pin },
});
