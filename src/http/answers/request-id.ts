import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { App } from '../../app.ts';
import { holdsCardNumber } from '../../kernel/account-numbers/card-number.ts';

/** The id of the current request. Apollo formats errors without their request, and this storage supplies its id. */
export const requestIds = new AsyncLocalStorage<string>();

/** The form of an id that a caller may give to a request. */
const FORM = /^[\w.:@/+=-]{1,128}$/;

/**
 * Returns the id of a request: the caller's own `x-request-id` if its form is right, else a new UUID. A text that may be a card
 * number is no id, because logs and answers show the id.
 */
export const requestIdOf =
  ({ ids }: Pick<App, 'ids'>) =>
  ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
    const given = headers['x-request-id'];
    return typeof given === 'string' && FORM.test(given) && !holdsCardNumber(given) ? given : ids.uuid();
  };
