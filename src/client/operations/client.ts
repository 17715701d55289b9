import type { Mutation, Query } from '../generated/schema.ts';
import { SHAPE } from '../generated/schema.ts';
import { documentOf } from './document.ts';
import { keyed } from './keys.ts';
import type { ClientOptions, RequestOptions } from './options.ts';
import { refuse, withRefusals } from './refusals.ts';
import type { Answer, Selection } from './selection.ts';
import { send, type Sender } from './send.ts';

/** A client of the whole API. It holds no connection and no state, so it needs no end. */
export type PaygraphClient = {
  /** Reads. The answer has the type of the selection. Rejects with a class of errors.ts. */
  query<const S extends Selection<Query>>(selection: S, options?: RequestOptions): Promise<Answer<Query, S>>;
  /**
   * Changes. Makes an idempotency key for each mutation that takes one and got none. Retries use the same keys, so nothing happens
   * twice. A refusal rejects with `RefusedError`, except in a payload whose `userErrors` are selected.
   */
  mutate<const S extends Selection<Mutation>>(
    selection: S,
    options?: RequestOptions,
  ): Promise<Answer<Mutation, S>>;
};

/**
 * Returns a client for a service. The selection is the document, so a wrong field or a missing argument is an error of the type
 * checker. A request without a usable answer is sent again after a pause. Every mutation of the API allows that. Throws a
 * TypeError for a number of retries beyond the bounds.
 */
export function createClient(options: ClientOptions): PaygraphClient {
  const { retries = 3, timeoutMs = 60_000, pauses = {}, fetch = globalThis.fetch, ...target } = options;
  if (!Number.isInteger(retries) || retries < 0 || retries > RETRIES_MAX)
    throw new TypeError(`The option retries must be a whole number from 0 to ${RETRIES_MAX}.`);
  const sender: Sender = { ...target, retries, timeoutMs, pauses, fetch };
  return {
    query: async (selection, { signal } = {}) => {
      const request = documentOf(SHAPE, 'query', selection);
      return (await send(sender, request, { keys: {}, signal })) as never;
    },
    mutate: async (selection, { signal } = {}) => {
      const { keys, selection: complete } = keyed(SHAPE, selection);
      const request = documentOf(SHAPE, 'mutation', withRefusals(complete));
      const data = await send(sender, request, { keys, signal });
      return refuse(complete, data) as never;
    },
  };
}

/** More tries within one call would wait for minutes, and hide from the caller that the service is away. */
const RETRIES_MAX = 10;
