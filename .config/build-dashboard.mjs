// Builds src/dashboard into build/dashboard, with compressed copies of its files. The end of
// `npm ci` runs this script.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { buildSchema } from 'graphql';
import { buildMethodNames, buildTexts } from './build-texts.ts';
import { plugin } from './client-schema.mjs';

const ROOT = join(import.meta.dirname, '..');
const BUILT = join(ROOT, 'build/dashboard');
const SCHEMA = join(ROOT, 'schema/api.graphql');
const CLIENT_SCHEMA = join(ROOT, 'src/client/generated/schema.ts');

/** Writes the client's part of the schema, as `npm run generate` does, unless it is as new as the schema. */
async function generateClientSchema() {
  const [from, to] = await Promise.all([SCHEMA, CLIENT_SCHEMA].map((path) => stat(path).catch(() => null)));
  if (to && to.mtimeMs >= from.mtimeMs) return;
  const text = plugin(buildSchema(await readFile(SCHEMA, 'utf8')));
  await mkdir(dirname(CLIENT_SCHEMA), { recursive: true });
  await writeFile(CLIENT_SCHEMA, text);
}

/** Builds beside the folder, so that a running service never reads half of a build. */
async function build({ build: bundle }) {
  const scratch = `${BUILT}-${process.pid}`;
  await bundle({
    ...{ configFile: false, root: join(ROOT, 'src/dashboard'), base: './', logLevel: 'warn' },
    // Small images stay files, because the page's policy forbids data addresses.
    build: {
      outDir: scratch,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
  const assets = join(scratch, 'assets');
  const names = (await readdir(assets)).filter((name) => /\.(css|js|svg)$/.test(name));
  await Promise.all(names.map((name) => compress(join(assets, name))));
  await rm(BUILT, { recursive: true, force: true });
  await rename(scratch, BUILT);
}

async function compress(path) {
  const bytes = await readFile(path);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

// A test runner sets another value, which would bundle React for development.
process.env.NODE_ENV = 'production';

await Promise.all([generateClientSchema(), buildTexts(), buildMethodNames()]);
await build(await import('vite'));
