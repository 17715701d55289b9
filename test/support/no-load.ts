import type { Load } from '../../src/http/limits/load.ts';

/** A process in which no work waits. */
export const NO_LOAD: Load = { isBehind: () => false, readsAreBehind: () => false };
