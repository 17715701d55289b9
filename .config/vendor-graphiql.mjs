// `npm run vendor:graphiql`: writes src/http/graphiql/vendor/ anew from the package that builds GraphiQL for browsers.
// The package weighs 27 MB with its peers, and one page needs it. It ships the same files as strings.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const PACKAGE = '@graphql-yoga/render-graphiql@5.24.1';
const INTEGRITY =
  'sha512-mLFvBekZujetoh7M9jokYkQtrjrmiKD5KSTfV6ivMAFNgV8KcLAJeVAH8QOOg6Wvj47+DNBvdlx0R5O2JjtN/A==';
const FILES = {
  css: 'graphiql.css',
  js: 'graphiql.js',
  editorWorkerService: 'editor-worker.js',
  graphqlWorker: 'graphql-worker.js',
  jsonWorker: 'json-worker.js',
};
const target = join(import.meta.dirname, '../src/http/graphiql/vendor');
const scratch = mkdtempSync(join(tmpdir(), 'graphiql-'));

const run = (command, ...words) => execFileSync(command, words, { cwd: scratch, encoding: 'utf8' });
const [packed] = Object.values(JSON.parse(run('npm', 'pack', '--json', PACKAGE)));
if (packed.integrity !== INTEGRITY) throw new Error(`${PACKAGE} is not the package that is expected.`);
run('tar', '-xzf', packed.filename);
const texts = await import(pathToFileURL(join(scratch, 'package/esm/graphiql.js')).href);
mkdirSync(target, { recursive: true });
for (const [name, file] of Object.entries(FILES))
  writeFileSync(join(target, `${file}.gz`), gzipSync(texts[name], { level: 9 }));
cpSync(join(scratch, 'package/LICENSE'), join(target, 'LICENSE'));
rmSync(scratch, { recursive: true });
