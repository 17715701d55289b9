import { flushCompileCache } from 'node:module';
import { collectAll } from './collect-garbage.ts';

/**
 * Ends the loading of a program. Stops the process for about a tenth of a second.
 *
 * - Stores the compiled program for the next start, because a supervisor may kill this process.
 * - Frees the garbage of loading. V8 would keep it until the heap has grown again, which takes hours on a quiet server.
 */
export function finishLoading(): void {
  flushCompileCache();
  collectAll();
}
