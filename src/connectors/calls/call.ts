import { isObject } from '../../kernel/json.ts';
import { sameMoney, type Money } from '../../kernel/money.ts';
import type { Log } from '../../platform/log.ts';
import type { Connector } from '../interface/connector.ts';
import type {
  LookupRequest,
  CancelRequest,
  CaptureRequest,
  FollowUpRequest,
  IncreaseRequest,
  RefundRequest,
  AuthorizeRequest,
  BankAccount,
  Card,
  NetworkToken,
  WalletToken,
} from '../interface/requests.ts';
import { fitBuyer } from '../buyer/fit-buyer.ts';
import type { CallContext } from '../interface/call-context.ts';
import type { Definition } from '../interface/definition.ts';
import type { Outcome, Unknown, UnknownCause } from '../interface/outcome.ts';
import { measureCall, type MeasuredContext } from './call-metrics.ts';
import { cleanOutcome, type Confidential } from '../reading/words.ts';

/** One call of a provider: the verb, the key and the amount. */
export type ConnectorCall =
  | ({ readonly verb: 'authorize' } & AuthorizeRequest)
  | ({ readonly verb: 'increase' } & IncreaseRequest)
  | ({ readonly verb: 'reauthorize' } & FollowUpRequest)
  | ({ readonly verb: 'capture' } & CaptureRequest)
  | ({ readonly verb: 'refund' } & RefundRequest)
  | ({ readonly verb: 'void' } & FollowUpRequest)
  | ({ readonly verb: 'cancel' } & CancelRequest);

/**
 * Sends a money verb of a payment to its provider, for the first time or again. Never throws. Look-ups, resumed payments and the
 * other calls of providers have functions of their own.
 *
 * - A connector that throws or misses the deadline gives `unknown`: the provider may have done the work.
 * - A success for a different amount or currency gives `unknown` too. The reservation stays until somebody
 *   checks.
 * - The provider's words are cleaned of secrets.
 */
export const callConnector = (
  connector: Connector,
  context: CallContext,
  log: Log,
  call: ConnectorCall,
): Promise<Outcome> => ask(connector, context, log, call, () => perform(connector, context, call));

/**
 * Asks a provider for the outcome of an operation, under the same rules.
 *
 * Returns null if the provider does not know the operation. Null alone proves nothing: the request may still
 * arrive.
 */
export async function lookUp(
  connector: Connector,
  context: CallContext,
  log: Log,
  request: LookupRequest & Pick<Requested, 'accountEnding'>,
): Promise<Outcome | null> {
  const look = async (): Promise<Outcome> => (await connector.lookup(context, request)) ?? NOT_FOUND;
  const outcome = await ask(connector, context, log, request, look);
  return outcome === NOT_FOUND ? null : outcome;
}

/** A stand-in for "operation not known". The rules pass an unknown outcome through unchanged. */
const NOT_FOUND: Outcome = { kind: 'unknown', cause: 'unreadable' };

/** The parts of a call or a look-up that the rules need. The provider's words must not hold the means to pay. */
export type Requested = Pick<LookupRequest, 'key' | 'money'> & {
  readonly verb: string;
  readonly card?: Pick<Card, 'number' | 'securityCode'> | null;
  readonly bank?: Pick<BankAccount, 'accountNumber'> | null;
  /** The last digits of the account that pays. */
  readonly accountEnding?: string | null;
  readonly token?: string | null;
  readonly wallet?: WalletToken | null;
  readonly networkToken?: Pick<NetworkToken, 'number' | 'cryptogram'> | null;
};

/** Performs a call under the rules of `callConnector`. Every outcome comes from this function. */
export async function ask(
  connector: Connector,
  context: CallContext,
  log: Log,
  call: Requested,
  performed: () => Promise<Outcome>,
): Promise<Outcome> {
  const answer = await answerOrUnknown(connector, context, log, call, performed);
  const outcome = cleanOutcome(answer, secretsOf(connector, context, call));
  if (outcome.kind === 'succeeded' && !sameMoney(outcome.money, call.money)) {
    log.error(
      { connector: connector.id, verb: call.verb, key: call.key, ...moneyFields(outcome.money) },
      'The provider confirmed a different amount or currency.',
    );
    return { kind: 'unknown', cause: 'unreadable' };
  }
  if (outcome.kind === 'accepted' && outcome.unreleased !== undefined) {
    log.warn(
      { connector: connector.id, verb: call.verb, key: call.key, cause: outcome.unreleased },
      'The provider may still hold the rest of the authorisation after the final capture.',
    );
  }
  if (outcome.kind === 'unknown') {
    log.warn(
      { connector: connector.id, verb: call.verb, key: call.key, cause: outcome.cause },
      'The outcome is unknown.',
    );
  }
  return outcome;
}

/** Returns the connector's answer, or `unknown` if the connector throws or misses the deadline. */
export async function answerOrUnknown<Answer>(
  connector: Pick<Connector, 'id'>,
  context: MeasuredContext & Pick<CallContext, 'deadlineMs'>,
  log: Log,
  { verb, key }: { readonly verb: string; readonly key?: string },
  performed: () => Promise<Answer>,
): Promise<Answer | Unknown> {
  const startedAtMs = performance.now();
  const answer = await withDeadline(context.deadlineMs, performed()).catch((error: unknown): Unknown => {
    // The message may hold data that was sent, so only the error's name is logged.
    log.error(
      { connector: connector.id, verb, key, error: nameOf(error) },
      'The connector threw an exception.',
    );
    return { kind: 'unknown', cause: 'unreadable' };
  });
  measureCall(context, verb, { tookMs: performance.now() - startedAtMs, cause: causeOf(answer) });
  return answer;
}

/** Returns why an answer is none. Null for an answer, also for one that does not know the operation. */
const causeOf = (answer: unknown): UnknownCause | null =>
  answer !== NOT_FOUND && isObject(answer) && answer['kind'] === 'unknown' ? (answer as Unknown).cause : null;

type SecretContext = Pick<CallContext, 'credentials'> & Partial<Pick<CallContext, 'accessTokens'>>;

/** Lists the secrets that must not appear in the provider's words. */
export function secretsOf(
  connector: { readonly definitions: readonly Pick<Definition, 'fields'>[] },
  { credentials, accessTokens }: SecretContext,
  { card, bank, accountEnding, token, wallet, networkToken }: Omit<Requested, 'key' | 'money' | 'verb'>,
): Confidential {
  const fields = connector.definitions.flatMap((definition) => definition.fields);
  const secrets = fields.flatMap(({ key, secret }) => (secret ? (credentials[key] ?? []) : []));
  const others = [
    token,
    networkToken?.cryptogram,
    accessTokens?.current(),
    ...(wallet ? partsOf(wallet) : []),
  ];
  return {
    cardNumber: card?.number ?? networkToken?.number ?? null,
    securityCode: card?.securityCode ?? null,
    accountNumber: bank?.accountNumber ?? null,
    accountEnding: accountEnding ?? null,
    credentials: [...secrets, ...others.flatMap((other) => other ?? [])],
  };
}

/** Lists a wallet's token and the texts in it, without the names of fields. A provider may repeat one of them. */
const partsOf = ({ token }: WalletToken): readonly string[] => [
  token,
  ...Array.from(token.matchAll(/"((?:[^"\\]|\\.)*)"(?!\s*:)/g), ([, text = '']) => text),
];

/** Calls the verb of the connector. Async, so that a synchronous throw becomes a rejection too. */
async function perform(connector: Connector, context: CallContext, call: ConnectorCall): Promise<Outcome> {
  switch (call.verb) {
    case 'authorize':
      return connector.authorize(context, regular(context, call));
    case 'increase':
      return connector.increase ? connector.increase(context, call) : lacking(connector, call);
    case 'reauthorize':
      return connector.reauthorize ? connector.reauthorize(context, call) : lacking(connector, call);
    case 'capture':
      return connector.capture(context, call);
    case 'cancel':
      return connector.cancel(context, call);
    case 'refund':
      return connector.refund(context, call);
    case 'void':
      return connector.void(context, call);
  }
}

/** Makes the buyer data of an authorisation regular for the provider. Every connector gets its requests from here. */
const regular = ({ definition }: CallContext, call: AuthorizeRequest): AuthorizeRequest =>
  definition.buyer ? { ...call, buyer: fitBuyer(call.buyer, definition.buyer) } : call;

/** The feature promises the verb, and the definition contract checks the promise. */
function lacking({ id }: Connector, { verb }: ConnectorCall): never {
  throw new Error(`The connector ${id} lacks the verb ${verb} that its feature promises.`);
}

/** Returns `unknown` after the deadline, in case a connector ignores the deadline. */
async function withDeadline<Answer>(deadlineMs: number, call: Promise<Answer>): Promise<Answer | Unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Unknown>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'unknown', cause: 'timeout' }), deadlineMs);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
const moneyFields = ({ amount, currency }: Money) => ({ answeredAmount: amount, answeredCurrency: currency });
