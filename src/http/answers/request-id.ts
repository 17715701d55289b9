import { AsyncLocalStorage } from 'node:async_hooks';

/** The id of the current request. Apollo formats errors without their request, and this storage supplies its id. */
export const requestIds = new AsyncLocalStorage<string>();
