import type { ZodType } from 'zod';
import { isObject } from '../../kernel/json.ts';
import type { Log } from '../../platform/log.ts';
import { secretsOf, type Requested } from '../calls/call.ts';
import type { AccessTokens } from '../interface/access-tokens.ts';
import type { CallContext } from '../interface/call-context.ts';
import type { Definition } from '../interface/definition.ts';
import type { Unknown } from '../interface/outcome.ts';
import type { Confidential } from '../reading/words.ts';
import { clientOfCall } from './call-client.ts';
import { connectorLog } from './connector-log.ts';
import type { Reach } from './declared-hosts.ts';
import { runAs, runAsHouse } from './stray-errors.ts';

export type Calls = ReturnType<typeof callsOf>;

type Fielded = { readonly definitions: readonly Pick<Definition, 'fields'>[] };

/** The part of a context that every call has. */
type Context = Pick<CallContext, 'credentials' | 'http' | 'deadlineMs'> &
  Partial<Pick<CallContext, 'accessTokens'>>;

/**
 * Encloses the calls of a connector:
 *
 * - The connector gets copies of the credentials and of each request, and a log that hides.
 * - Its client reaches only the declared hosts, and ends with the call.
 * - An answer in another form is `unknown`, because the provider may have done the work. Other answers are copied.
 * - An `unknown` answer does not say that nothing was sent if a request of the call may have arrived.
 */
export function callsOf({ definitions, ...reach }: Reach & Fielded, log: Log) {
  return <In extends Context, Request, Answer>(
    verb: string,
    form: ZodType,
    perform: (context: In, request: Request) => Promise<Answer>,
  ) =>
    async (context: In, request: Request): Promise<Answer | Unknown> => {
      const { accessTokens, deadlineMs } = context;
      const client = clientOfCall(context.http, deadlineMs, reach, log);
      const given = { ...context, credentials: { ...context.credentials } };
      const secrets = (): Confidential => secretsOf({ definitions }, context, meansOf(request));
      const inside = Object.freeze({
        ...given,
        http: client.http,
        log: connectorLog(reach.id, secrets, log),
        ...(accessTokens && { accessTokens: tokensFor(reach.id, accessTokens) }),
      });
      const called = runAs(reach.id, async () => perform(inside, copyOf(request)));
      const answer = await called.finally(() => client.end());
      const { success, data, error } = form.safeParse(answer);
      if (success) return client.mayHaveWorked() ? withoutClaims(data as Answer) : (data as Answer);
      const field = error.issues[0]?.path.join('.') ?? '';
      log.error({ connector: reach.id, verb, field }, 'The connector answered in another form.');
      return { kind: 'unknown', cause: 'unreadable' };
    };
}

/** Removes the claims that nothing was sent, or that nothing was done. */
function withoutClaims<Answer>(answer: Answer): Answer {
  if (!isObject(answer) || answer['kind'] !== 'unknown') return answer;
  const { sent: _sent, refusedAs: _refusedAs, ...rest } = answer;
  return rest as Answer;
}

/** Returns the means to pay in a request, whatever its verb. A gift card has a PIN, and a balance is asked for with the card alone. */
function meansOf(request: unknown): Omit<Requested, 'key' | 'money' | 'verb'> {
  if (typeof request === 'string') return { token: request };
  if (!isObject(request)) return {};
  const means = request as Partial<Requested> & { readonly mandate?: string };
  const card = (means.card ?? request) as { number?: string; securityCode?: string | null; pin?: string };
  return {
    ...means,
    token: means.token ?? means.mandate ?? null,
    card: card.number ? { number: card.number, securityCode: card.securityCode ?? card.pin ?? null } : null,
  };
}

/** Paygraph's own code keeps the tokens, and the connector's code loads them. */
const tokensFor = (id: string, tokens: AccessTokens): AccessTokens => ({
  get: (load) => runAsHouse(() => tokens.get(() => runAs(id, load))),
  drop: (refused) => tokens.drop(refused),
  current: () => tokens.current(),
});

/** Copies a request, so that no connector changes the amount that its answer is compared with. */
const copyOf = <Request>(request: Request): Request =>
  isCloneable(request) ? structuredClone(request) : { ...request };

/** A request with a function cannot be cloned. */
const isCloneable = (request: unknown): boolean =>
  typeof request !== 'object' ||
  request === null ||
  Object.values(request).every((value) => typeof value !== 'function');
