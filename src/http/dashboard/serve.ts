import type { FastifyInstance, FastifyReply } from 'fastify';
import type { App } from '../../app.ts';
import { html } from '../pages/html.ts';
import { sendPage, type Page } from '../pages/page.ts';
import { encode, readBuilt, type BuiltDashboard } from './files.ts';
import { serveSignIn } from './sign-in.ts';

/**
 * Serves the dashboard below `/dashboard`, all of it from this process. Each address that names no file is a route of the page.
 * `signsInByItself` lets a sandbox sign its visitor in.
 */
export function serveDashboard(server: FastifyInstance, app: App, signsInByItself: boolean): void {
  if (app.config.PAYGRAPH_DASHBOARD === 'off') return;
  let reading: Promise<BuiltDashboard | null> | null = null;
  // The files are read for the first page, and again while nobody has built them.
  const built = async (): Promise<BuiltDashboard | null> => {
    const found = await (reading ??= readBuilt());
    if (!found) reading = null;
    return found;
  };
  const sendShell = async (reply: FastifyReply): Promise<FastifyReply> => {
    const found = await built();
    return found ? sendFilled(app, reply, found.page) : sendPage(reply, NOT_BUILT);
  };
  server.get('/dashboard', (_request, reply) => sendShell(reply));
  server.get('/dashboard/*', (_request, reply) => sendShell(reply));
  server.get<{ Params: { name: string } }>('/dashboard/assets/:name', async (request, reply) => {
    const file = (await built())?.assets.get(request.params.name);
    if (!file) return reply.callNotFound();
    const { body, encoding } = encode(file, request.headers['accept-encoding']);
    if (encoding !== undefined) void reply.header('content-encoding', encoding);
    // The name of an asset has a digest of its content.
    return reply
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' })
      .type(file.type)
      .send(body);
  });
  serveSignIn(server, app, signsInByItself);
}

/** Fills the gaps of the page: its address, and a new nonce for the style elements that its scripts add. */
function sendFilled(app: App, reply: FastifyReply, page: string): FastifyReply {
  const nonce = app.ids.random(16).toString('base64url');
  const base = `${new URL(app.publicUrl).pathname.replace(/\/$/, '')}/dashboard/`;
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': policyOf(nonce), 'cross-origin-opener-policy': 'same-origin' })
    .send(page.replace('%BASE%', base).replaceAll('%NONCE%', nonce));
}

/** Everything comes from this server, and nothing is inline except style elements with the nonce. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

const NOT_BUILT: Page = {
  title: 'The dashboard is not built',
  status: 503,
  body: html`<h1>The dashboard is not built</h1>
    <p>Run npm ci with the packages for development, or npm run dashboard. Then load this page again.</p>`,
};
