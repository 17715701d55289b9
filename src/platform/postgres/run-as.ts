import { execFile } from 'node:child_process';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '../operator-error.ts';
import { postgresProgram } from './binaries.ts';

/** The user that Postgres runs as when it must not be ours; null: ours. */
export type RunAs = {
  readonly uid: number;
  readonly gid: number;
  /** The user may pass every folder although the rights on one would keep it out. */
  readonly passThrough: boolean;
};

/** What to spawn so that a program runs as that user. */
export type Command = {
  readonly file: string;
  readonly args: readonly string[];
  readonly identity: { readonly uid?: number; readonly gid?: number };
};

/**
 * Postgres refuses to run as root. Run by root it therefore becomes the owner of the data folder, for a new one the
 * user `postgres` or else `nobody`; no user is created. Refuses when there is none, or when it cannot reach the folder.
 */
export async function chooseUser(folder: string): Promise<RunAs | null> {
  if (process.getuid?.() !== 0) return null;
  const user = (await ownerOf(folder)) ?? (await knownUser());
  const paths = [dirname(folder), dirname(postgresProgram('postgres'))];
  const reachable = (await Promise.all(paths.map((path) => canPass(path, user)))).every(Boolean);
  if (!reachable) await requirePassThrough(folder);
  return { ...user, passThrough: !reachable };
}

/** The command line of a program for the user that was chosen. */
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
 * A home of root's is closed to everybody else; with this one capability Postgres reaches a folder in it all the same.
 * The secure bit is for its access(2), which otherwise asks as if it had none; by the exec that follows all others are gone.
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
