import { AsyncLocalStorage } from 'node:async_hooks';

/** The id of the request under way. Apollo formats errors without saying whose they are; this is how they find out. */
export const requestIds = new AsyncLocalStorage<string>();
