import { execFile } from 'node:child_process';
import { access, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The folder of PgBouncer with all its libraries. The next run finds the folder again. */
const ROOT = join(tmpdir(), 'paygraph-pgbouncer-trixie');

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Debian's release with PgBouncer 1.24. The release before has 1.18, which cannot carry named statements. */
const sourceAt = (mirror: string): string => `deb [signed-by=${KEYRING}] ${mirror} trixie main\n`;

/** Returns the mirror of Debian that this machine installs its packages from. */
async function findMirror(): Promise<string> {
  const asked = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages', 'Component: main'];
  const { stdout } = await run('apt-get', asked);
  return stdout.split('\n').find((uri) => uri !== '' && !uri.includes('security')) ?? '';
}

/**
 * Returns the root folder of a small system with PgBouncer 1.24, or the reason for its absence. The first call fetches the packages
 * with `mmdebstrap`, in half a minute.
 */
export async function findPgBouncer(): Promise<{ readonly root: string } | { readonly missing: string }> {
  if (process.getuid?.() !== 0) return { missing: 'only root may use chroot' };
  if (await exists(ROOT)) return { root: ROOT };
  if (!(await run('mmdebstrap', ['--version']).catch(() => null)))
    return { missing: 'this machine has no mmdebstrap' };
  const draft = await mkdtemp(`${ROOT}-`);
  try {
    const list = join(draft, 'sources.list');
    await writeFile(list, sourceAt(await findMirror()));
    const root = join(draft, 'root');
    await run('mmdebstrap', ['--variant=extract', '--include=pgbouncer', 'trixie', root, list]);
    // The packages are only unpacked, so the folders of the merged layout are made here.
    for (const name of ['lib', 'lib64', 'bin', 'sbin'])
      await symlink(`usr/${name}`, join(root, name)).catch(() => undefined);
    await rename(root, ROOT);
    return { root: ROOT };
  } catch (error) {
    return { missing: `mmdebstrap failed: ${String((error as { stderr?: unknown }).stderr ?? error)}` };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
