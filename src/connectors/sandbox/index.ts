import type { CallContext, Connector, Outcome } from '../connector.ts';
import { sandboxDefinitions } from './definitions.ts';
import { simulate, type SimulatorRequest } from './simulator.ts';
import { readSandboxWebhook } from './webhook.ts';
import { authorizationToWire, cancelToWire, followUpToWire, outcomeFromWire, statusToWire } from './wire.ts';

/** The sandbox provider: built in, or a simulator of the merchant's own at the `api_url` of the service. */
export const sandbox: Connector = {
  id: 'sandbox',
  definitions: sandboxDefinitions,
  recovery: { kind: 'keys', windowMs: 24 * 3_600_000 },
  webhooks: { verifyAndRead: readSandboxWebhook },
  authorize: (context, request) => outcomeOf(context, authorizationToWire(request)),
  capture: (context, request) => outcomeOf(context, followUpToWire('capture', request)),
  refund: (context, request) => outcomeOf(context, followUpToWire('refund', request)),
  void: (context, request) => outcomeOf(context, followUpToWire('void', request)),
  cancel: (context, request) => outcomeOf(context, cancelToWire(request)),
  lookup: (context, request) => ask(context, statusToWire(request)),
};

/** Only a look-up may be answered with "not found"; to anything else that is no answer. */
const outcomeOf = async (context: CallContext, request: SimulatorRequest): Promise<Outcome> =>
  (await ask(context, request)) ?? { kind: 'unknown', cause: 'unreadable' };

const REPLY_BYTES_MAX = 64 * 1024;

/** Payments come in bursts, and a new connection costs each of them more than the call. */
const KEPT_CONNECTIONS = 64;

async function ask(
  { definition, credentials, http, deadlineMs }: CallContext,
  asked: SimulatorRequest,
): Promise<Outcome | null> {
  const request = definition.supportedFeatures.sync ? { ...asked, may_decide_later: true } : asked;
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
    keptConnections: KEPT_CONNECTIONS,
    repeatable: true,
  });
  if ('failure' in answer) {
    const { kind, sent } = answer.failure;
    return { kind: 'unknown', cause: kind === 'timeout' ? 'timeout' : 'connection', ...(!sent && { sent }) };
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
