import { createAdyen } from '../../../src/connectors/adyen/index.ts';
import type { CallContext } from '../../../src/connectors/interface/call-context.ts';
import { noTokens } from '../../support/no-tokens.ts';
import { openPrepared, type Prepared } from '../kit/prepared.ts';
import { CREDENTIALS } from './samples.ts';

export type Scripted = Prepared;

/** A request that reached the server. */
type Received = Readonly<Record<'method' | 'path', string>> &
  Readonly<Record<'key' | 'apiKey', string | undefined>> & { readonly body: unknown };

/** Starts a server that gives prepared answers, and a connector that calls the server. */
export async function openScripted() {
  const received: Received[] = [];
  let answers: readonly Prepared[] = [];
  const { url, http } = await openPrepared(({ method, path, headers, body }) => {
    const { 'idempotency-key': key, 'x-api-key': apiKey } = headers;
    received.push({ method, path, key, apiKey, body: body === '' ? null : JSON.parse(body) });
    const [next = null, ...rest] = answers;
    if (rest.length > 0) answers = rest;
    return next;
  });
  const connector = createAdyen({
    hosts: () => ({ checkout: `${url}/v71`, disputes: `${url}/disputes`, reports: `${url}/reports` }),
  });
  const [definition] = connector.definitions;
  if (!definition) throw new Error('The connector has no definition');
  return {
    ...{ connector, received },
    /** Sets the answers of the next requests. The last answer repeats. */
    answer: (...given: readonly Prepared[]): void => {
      received.length = 0;
      answers = given;
    },
    context: (changes: Partial<CallContext> = {}): CallContext => ({
      ...{ definition, credentials: CREDENTIALS, environment: 'sandbox', http, deadlineMs: 5_000 },
      ...{ accessTokens: noTokens(), ...changes },
    }),
  };
}
