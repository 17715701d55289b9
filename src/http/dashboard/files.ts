import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the built dashboard, in each of its encodings. */
export type BuiltFile = {
  readonly type: string;
  readonly plain: Buffer;
  readonly encoded: ReadonlyMap<'br' | 'gzip', Buffer>;
};

/** The built dashboard: its page with gaps, and its assets by name. */
export type BuiltDashboard = {
  readonly page: string;
  readonly assets: ReadonlyMap<string, BuiltFile>;
};

/** The folder that `npm run dashboard` writes. */
export const BUILT_DASHBOARD = join(import.meta.dirname, '../../../build/dashboard');

/** Reads the built dashboard. Null if nobody built it. */
export async function readBuilt(folder = BUILT_DASHBOARD): Promise<BuiltDashboard | null> {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => null);
  if (page === null) return null;
  const names = await readdir(join(folder, 'assets'));
  const assets = names
    .filter((name) => !/\.(br|gz)$/.test(name))
    .map(async (name) => [name, await readBuiltFile(join(folder, 'assets', name), names)] as const);
  return { page, assets: new Map(await Promise.all(assets)) };
}

const ENCODINGS = { br: '.br', gzip: '.gz' } as const;

async function readBuiltFile(path: string, names: readonly string[]): Promise<BuiltFile> {
  const encoded = new Map<'br' | 'gzip', Buffer>();
  for (const name of ['br', 'gzip'] as const) {
    const other = `${path}${ENCODINGS[name]}`;
    if (names.some((each) => other.endsWith(`/${each}`))) encoded.set(name, await readFile(other));
  }
  return { type: typeOf(path), plain: await readFile(path), encoded };
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const typeOf = (path: string): string =>
  TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

/** Returns the file in the best encoding that the browser accepts. */
export function encode({ encoded, plain }: BuiltFile, accepted = ''): { body: Buffer; encoding?: string } {
  for (const encoding of ['br', 'gzip'] as const) {
    const body = encoded.get(encoding);
    if (body && new RegExp(`(^|[ ,])${encoding}(?! *; *q=0(\\.0*)?( *,|$))\\b`).test(accepted))
      return { body, encoding };
  }
  return { body: plain };
}
