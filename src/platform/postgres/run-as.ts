import { execFile } from 'node:child_process';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '../operator-error.ts';
import { postgresProgram } from './binaries.ts';

/** Another user that Postgres runs as. Null: the user of this process. */
export type RunAs = {
  readonly uid: number;
  readonly gid: number;
  /** True if Postgres needs a capability to pass folders that are closed to the user. */
  readonly passThrough: boolean;
};

/** The command line that runs a program as that user. */
export type Command = {
  readonly file: string;
  readonly args: readonly string[];
  readonly identity: { readonly uid?: number; readonly gid?: number };
};

/**
 * Chooses the user for Postgres, which refuses to run as root. Under root, Postgres runs as the owner of the data
 * folder. For a new folder it runs as `postgres` or else `nobody`. No user is created. Refuses when no such user
 * exists, or when the user cannot reach the folder.
 */
export async function chooseUser(folder: string): Promise<RunAs | null> {
  if (process.getuid?.() !== 0) return null;
  const user = (await ownerOf(folder)) ?? (await knownUser());
  const paths = [dirname(folder), dirname(postgresProgram('postgres'))];
  const reachable = (await Promise.all(paths.map((path) => canPass(path, user)))).every(Boolean);
  if (!reachable) await requirePassThrough(folder);
  return { ...user, passThrough: !reachable };
}

/** Returns the command line of a program for the chosen user. */
export function commandAs(user: RunAs | null, program: string, args: readonly string[]): Command {
  if (!user) return { file: program, args, identity: {} };
  const { uid, gid } = user;
  if (!user.passThrough) return { file: program, args, identity: { uid, gid } };
  return {
    file: 'setpriv',
    args: [...PASS, `--reuid=${uid}`, `--regid=${gid}`, program, ...args],
    identity: {},
  };
}

type User = { readonly uid: number; readonly gid: number };

/**
 * The options that let Postgres reach a folder in root's home, which is closed to all others. One capability suffices.
 * The secure bit is for access(2), which otherwise ignores the capability. All other capabilities end with the exec.
 */
const PASS = [
  '--clear-groups',
  '--securebits=+no_setuid_fixup',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
];

async function ownerOf(folder: string): Promise<User | null> {
  const found = await stat(folder).catch(() => null);
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : null;
}

async function knownUser(): Promise<User> {
  const users = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (user) return { uid: Number(user[2]), gid: Number(user[3]) };
  throw new OperatorError(
    'Postgres does not run as root, and there is neither a user "postgres" nor "nobody" to run it as. ' +
      'Start Paygraph as an ordinary user, or set DATABASE_URL.',
  );
}

async function canPass(folder: string, user: User): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    const { mode, uid, gid } = await stat(path);
    const right = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & right) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

async function requirePassThrough(folder: string): Promise<void> {
  try {
    await promisify(execFile)('setpriv', [...PASS, '--reuid=65534', '--regid=65534', 'true']);
    await access(dirname(folder), constants.W_OK);
  } catch {
    throw new OperatorError(
      `Postgres does not run as root, and its user cannot reach ${dirname(folder)} or this program. ` +
        'Move both to a folder that every user may pass (not below /root), start Paygraph as an ordinary user, or set DATABASE_URL.',
    );
  }
}
