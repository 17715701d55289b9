// Builds the doors of connectors, `paygraph/connector` and `paygraph/connector-testing`: their declarations, and the program of
// the second one. The service's build has the program of the first one.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

const TESTING = 'test/connectors/testing';

/** Writes the files that the doors reach, and no others. An image is built without tests, and needs no door. */
export function buildConnector(built) {
  if (!existsSync(join(ROOT, `${TESTING}.ts`))) return;
  const compiled = mkdtempSync(join(tmpdir(), 'paygraph-build-'));
  try {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const words = ['-p', join(ROOT, '.config/connector.json'), '--outDir', compiled];
    execFileSync(process.execPath, [compiler, ...words], { stdio: 'inherit' });
    const declarations = reachedFrom(compiled, ['src/connectors/door.d.ts', `${TESTING}.d.ts`]);
    const programs = reachedFrom(compiled, [`${TESTING}.js`]).filter((path) => path.startsWith('test/'));
    for (const path of [...declarations, ...programs]) {
      const target = join(built, path.replace(/^src\//, ''));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, withoutSource(readFileSync(join(compiled, path), 'utf8')));
    }
  } finally {
    rmSync(compiled, { recursive: true });
  }
}

const IMPORTED = /(?<=\b(?:from |import\()['"])\.[^'"]+/g;

/** Lists the files and all that they import, as paths below the folder. */
function reachedFrom(folder, entries) {
  const reached = new Set(entries);
  for (const path of reached)
    for (const [name] of readFileSync(join(folder, path), 'utf8').matchAll(IMPORTED))
      reached.add(join(dirname(path), name).replace(/(?<!\.d)\.ts$/, '.d.ts'));
  return [...reached];
}

/** The content of `src` is at the top of the build. */
const withoutSource = (text) => text.replaceAll(IMPORTED, (name) => name.replace(/(?<=^(\.\.\/)+)src\//, ''));
