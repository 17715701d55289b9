// Builds the files that `npm pack` ships. They are the client and the doors of connectors, with their types, and the service as
// JavaScript with its assets. Node strips types from no file below node_modules. A first argument names another folder than build.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { buildConnector } from './build-connector.mjs';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'src');
const BUILT = resolve(process.argv[2] ?? join(ROOT, 'build'));

/** Removes files of former builds, whose sources may be gone. The dashboard has a build of its own. */
function clear() {
  mkdirSync(BUILT, { recursive: true });
  for (const name of readdirSync(BUILT).filter((each) => !each.startsWith('dashboard')))
    rmSync(join(BUILT, name), { recursive: true });
}

/** The client has declarations, so the compiler checks its files. */
function buildClient() {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const words = ['-p', join(ROOT, '.config/build.json'), '--outDir', BUILT];
  execFileSync(process.execPath, [compiler, ...words], { stdio: 'inherit' });
}

/** The parts of the sources that are built in another way, and the files for an operator's own tools. */
const APART = /^(client|dashboard|deploy)[\\/]/;

/** Writes each file of the service without its types. `npm run check:static` has checked the types. */
function buildService() {
  const compilerOptions = {
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
  };
  const isProgram = (path) => !APART.test(path) && !path.endsWith('.d.ts');
  for (const path of globSync('**/*.ts', { cwd: SOURCE }).filter(isProgram)) {
    const text = readFileSync(join(SOURCE, path), 'utf8');
    const { outputText } = ts.transpileModule(text, { compilerOptions, fileName: path });
    write(join(BUILT, path.replace(/\.ts$/, '.js')), outputText);
  }
}

/** Copies the files that the service reads while it runs: pages, scripts of pages and texts. The package has the program itself. */
function copyAssets() {
  const isAsset = (entry) => entry.isFile() && !/\.(ts|cjs)$/.test(entry.name);
  for (const entry of globSync('**/*', { cwd: SOURCE, withFileTypes: true }).filter(isAsset)) {
    const path = relative(SOURCE, join(entry.parentPath, entry.name));
    if (!APART.test(path)) cpSync(join(SOURCE, path), join(BUILT, path));
  }
}

/** A version without an entry in the changelog is not built. */
function checkChangelog() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const text = readFileSync(join(SOURCE, 'docs/changelog.md'), 'utf8');
  if (!text.includes(`\n## ${version}\n`))
    throw new Error(`src/docs/changelog.md has no section "## ${version}", the version of package.json.`);
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

checkChangelog();
clear();
buildClient();
buildService();
buildConnector(BUILT);
copyAssets();
