// Makes `npx paygraph` work in a clone, as in an installation of the package. npm links the programs of dependencies alone.
// `npm ci` runs this script at its end.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const PROGRAMS = join(import.meta.dirname, '..', 'node_modules', '.bin');
const LINK = join(PROGRAMS, 'paygraph');

// Windows starts no program by a link.
if (process.platform !== 'win32') {
  mkdirSync(PROGRAMS, { recursive: true });
  rmSync(LINK, { force: true });
  symlinkSync('../../src/cli/paygraph.cjs', LINK);
}
