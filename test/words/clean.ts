/**
 * Files and folders whose words follow the rules, one a line and sorted.
 *
 * Add a path once `npm run words <path>` prints nothing.
 */
export const CLEAN: readonly string[] = ['test/words'];
