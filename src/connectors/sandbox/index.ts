import type { CallContext, Connector, Outcome } from '../connector.ts';
import { sandboxDefinitions } from './definitions.ts';
import { simulate, type SimulatorRequest } from './simulator.ts';
import { authorizationToWire, followUpToWire, outcomeFromWire } from './wire.ts';

/** The sandbox provider: built in, or a simulator of the merchant's own at the `api_url` of the service. */
export const sandbox: Connector = {
  id: 'sandbox',
  definitions: sandboxDefinitions,
  supports: new Set(['authorize', 'capture', 'refund', 'void']),
  recovery: 'keys',
  authorize: (context, request) => ask(context, authorizationToWire(request)),
  capture: (context, request) => ask(context, followUpToWire('capture', request)),
  refund: (context, request) => ask(context, followUpToWire('refund', request)),
  void: (context, request) => ask(context, followUpToWire('void', request)),
  // The built-in provider remembers nothing; a repeat under the same key is its look-up.
  lookup: async () => null,
};

const REPLY_BYTES_MAX = 64 * 1024;

async function ask(
  { credentials, http, deadlineMs }: CallContext,
  request: SimulatorRequest,
): Promise<Outcome> {
  const { api_url: url, api_key: apiKey } = credentials;
  if (!url) return outcomeFromWire(simulate(request));
  const answer = await http.send({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': request.idempotency_key,
      ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
    },
    body: JSON.stringify(request),
    deadlineMs,
    replyBytesMax: REPLY_BYTES_MAX,
    pool: `sandbox:${url}`,
    repeatable: true,
  });
  if ('failure' in answer) {
    return { kind: 'unknown', cause: answer.failure.kind === 'timeout' ? 'timeout' : 'connection' };
  }
  if (answer.reply.status !== 200) return { kind: 'unknown', cause: 'server_error' };
  return outcomeFromWire(parseJson(answer.reply.body));
}

/** The parsed text, or null, which no answer of the provider is. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
