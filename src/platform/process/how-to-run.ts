import { extname } from 'node:path';

/** True in an installed package, which holds JavaScript. The repository holds TypeScript. */
const isPackaged = extname(import.meta.filename) === '.js';

/** Returns the words that run a command here: `npm run token -- --expires 15m`, or `paygraph token --expires 15m`. */
export const howToRun = (command: string, options = ''): string => wordsFor(isPackaged, command, options);

/** Returns the words for a command of an installed package, or of the repository. */
export function wordsFor(packaged: boolean, command: string, options: string): string {
  if (packaged) return ['paygraph', command, options].filter(Boolean).join(' ');
  const run = command === 'start' ? 'npm start' : `npm run ${command}`;
  return options === '' ? run : `${run} -- ${options}`;
}
