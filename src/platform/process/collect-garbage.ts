import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees all garbage, and gives memory back to the machine. Stops the process for about a tenth of a second. */
export const collectAll = (): void =>
  collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' });

/** Frees the garbage of the last moments. Stops the process for about a millisecond. */
export const collectYoung = (): void => collector()({ type: 'minor', execution: 'sync' });

let opened: NodeJS.GCFunction | null = null;

const collector = (): NodeJS.GCFunction => (opened ??= openCollector());

/** Returns V8's collector. Only a context that begins under a flag has it, so the flag is set for a moment. */
function openCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
