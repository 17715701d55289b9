import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { ownOrigins } from '../origins.ts';

/**
 * Serves GraphiQL at `/`, all of it from this process: nothing is loaded from elsewhere, and the policy forbids it.
 * The page holds a sandbox token, so that it must never be served in production.
 */
export function servePage(server: FastifyInstance, app: App, sandboxToken?: () => Promise<string>): void {
  server.get('/', async (request, reply) => {
    const token = sandboxToken && asksOurName(app, request) ? await sandboxToken() : null;
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .send(html({ token, tabs: await readExamples() }));
  });
  server.get<{ Params: { file: string } }>('/graphiql/:file', async (request, reply) => {
    assets ??= loadAssets();
    const asset = (await assets).get(request.params.file);
    if (!asset) return reply.callNotFound();
    void reply.headers({ etag: asset.etag, 'cache-control': 'no-cache', 'content-security-policy': POLICY });
    void reply.header('vary', 'accept-encoding');
    if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send();
    if (!acceptsGzip(request.headers['accept-encoding']))
      return reply.type(asset.type).send(await unzip(asset.zipped));
    return reply.type(asset.type).header('content-encoding', 'gzip').send(asset.zipped);
  });
}

/**
 * Monaco sets styles from script and draws with data: images and fonts. Scripts, workers and requests come from this
 * server alone.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Tells whether the browser uses one of the server's own names. A foreign name that resolves to this machine would let
 * a foreign page read the token.
 */
const asksOurName = (app: App, { headers, socket }: FastifyRequest): boolean =>
  ownOrigins(app, socket.localPort ?? 0).has(`http://${headers.host ?? ''}`);

/** The tabs that the page opens with on a first visit. */
async function readExamples(): Promise<readonly { readonly query: string }[]> {
  const files = await readFiles(join(import.meta.dirname, 'examples'), /\.graphql$/);
  return files
    .map(([, bytes]) => String(bytes))
    .map((query) => ({ query, ...(query.includes('$id') && { variables: '{ "id": "" }' }) }));
}

type PageOptions = { readonly token: string | null; readonly tabs: readonly { readonly query: string }[] };

function html(options: PageOptions): string {
  const json = JSON.stringify(options).replaceAll('<', String.raw`\u003c`);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Paygraph</title>
    <link rel="icon" href="/graphiql/icon.svg" />
    <link rel="stylesheet" href="/graphiql/graphiql.css" />
    <link rel="stylesheet" href="/graphiql/page.css" />
  </head>
  <body>
    <noscript>GraphiQL needs JavaScript.</noscript>
    <div id="root"><p class="loading">Loading GraphiQL …</p></div>
    <script type="application/json" id="options">${json}</script>
    <script src="/graphiql/graphiql.js"></script>
    <script type="module" src="/graphiql/in-browser.js"></script>
  </body>
</html>
`;
}

/** Every browser does. A client that does not gets the text itself. */
const acceptsGzip = (accepted = ''): boolean => /(^|[ ,])gzip\b(?! *; *q=0(\.0*)?( *,|$))/.test(accepted);

/** A file of the page, compressed. The etag is weak, because both encodings share it. */
type Asset = { readonly zipped: Buffer; readonly type: string; readonly etag: string };

/** Two megabytes: read for the first page, not at start. */
let assets: Promise<ReadonlyMap<string, Asset>> | undefined;

async function loadAssets(): Promise<ReadonlyMap<string, Asset>> {
  const files = [
    ...(await readFiles(join(import.meta.dirname, 'vendor'), /\.gz$/)),
    ...(await readFiles(import.meta.dirname, /^(?:in-browser\.js|[\w-]+\.(?:css|svg))$/)),
    // The websocket client as its package ships it: modules for browsers, without dependencies.
    ...(await readFiles(
      dirname(createRequire(import.meta.url).resolve('graphql-ws/client')),
      /^(?:client|common-[\w-]+)\.js$/,
    )),
  ];
  return new Map(await Promise.all(files.map(toAsset)));
}

type File = readonly [name: string, bytes: Buffer];

/** Reads the files of a folder whose names match. */
async function readFiles(folder: string, names: RegExp): Promise<File[]> {
  const found = (await readdir(folder)).filter((name) => names.test(name)).sort();
  return Promise.all(found.map(async (name) => [name, await readFile(join(folder, name))] as const));
}

const [unzip, zip] = [promisify(gunzip), promisify(gzip)];

const TYPES = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' } as const;

/** Compresses a file that is not stored compressed. A stored name ends with `.gz`, and the served one does not. */
async function toAsset([file, bytes]: File): Promise<readonly [string, Asset]> {
  const name = file.replace(/\.gz$/, '');
  const zipped = name === file ? await zip(bytes) : bytes;
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const type = Object.entries(TYPES).find(([known]) => known === ending)?.[1] ?? 'text/plain';
  const etag = `W/"${createHash('sha256').update(zipped).digest('base64url').slice(0, 22)}"`;
  return [name, { zipped, type: `${type}; charset=utf-8`, etag }];
}
