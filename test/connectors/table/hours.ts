import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Counts the hours of the clock in which the folders of a connector got a commit. A change of all connectors at once counts
 * for each, so the number is the most that the connector took. Needs the repository with its history.
 */
export async function countHours(id: string): Promise<number> {
  const folders = ['src/connectors', 'test/connectors'].map((folder) => `${folder}/${id}`);
  const { stdout } = await run('git', [
    ...['log', '--format=%ad', '--date=format:%Y-%m-%d %H', '--'],
    ...folders,
  ]);
  return new Set(stdout.split('\n').filter((hour) => hour !== '')).size;
}
