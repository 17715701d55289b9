// Links the program in a clone, so that `npx paygraph` works there as in an installation. The end of `npm ci` runs this script.
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
