// Fills the compile cache of the image. Runs in the image's folder, because the cache names the files by their paths. The
// start loads the whole program, then fails for want of a database.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, globSync, mkdirSync } from 'node:fs';

const CACHE = 'node_modules/.cache';

/** The user of the image. The cache of one user serves no other. */
const user = { uid: 1000, gid: 1000 };

const settings = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://127.0.0.1:1/none',
  PAYGRAPH_PUBLIC_URL: 'https://localhost',
  PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64'),
};

mkdirSync(CACHE, { recursive: true });
chownSync(CACHE, user.uid, user.gid);
for (const command of ['start', 'migrate'])
  spawnSync(process.execPath, ['src/cli/paygraph.cjs', command], { env: settings, ...user });

const files = globSync(`${CACHE}/paygraph/*/*`).length;
console.log(`The compile cache has ${files} files.`);
if (files < 500) throw new Error('The program did not load.');
