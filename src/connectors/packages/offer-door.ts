import { registerHooks } from 'node:module';
import { extname } from 'node:path';

/** The name under which packages import the door. */
const NAME = 'paygraph/connector';

/** The door of this process: the source in a clone, and the program in an installed package. */
const DOOR = new URL(`../door${extname(import.meta.filename)}`, import.meta.url).href;

let isOffered = false;

/**
 * Gives every package the door of this process. A package then needs no copy of Paygraph beside it, as in an image. A copy in
 * another version is not used.
 */
export function offerDoor(): void {
  if (isOffered) return;
  isOffered = true;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === NAME ? { url: DOOR, shortCircuit: true } : next(specifier, context),
  });
}
