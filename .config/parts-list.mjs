// Prints the packages that run, as CycloneDX. `npm sbom --omit dev` leaves out 111 packages that run: others for
// development need them too. So npm gets a lock file without the packages for development.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const read = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

const { devDependencies: _, ...running } = read('package.json');
const lock = read('package-lock.json');
const { devDependencies: __, ...root } = lock.packages[''];
const places = Object.entries(lock.packages).filter(
  ([place, { dev, devOptional }]) => place !== '' && !dev && !devOptional,
);

const folder = mkdtempSync(join(tmpdir(), 'paygraph-parts-'));
const write = (file, content) => writeFileSync(join(folder, file), JSON.stringify(content));
try {
  write('package.json', running);
  write('package-lock.json', { ...lock, packages: Object.fromEntries([['', root], ...places]) });
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  process.stdout.write(
    execFileSync('npm', words, { cwd: folder, maxBuffer: 64_000_000, shell: process.platform === 'win32' }),
  );
} finally {
  rmSync(folder, { recursive: true });
}
