import { sameMoney, type Money } from '../kernel/money.ts';
import type { Log } from '../platform/log.ts';
import type { Connector } from './connector.ts';
import type {
  LookupRequest,
  CancelRequest,
  CaptureRequest,
  FollowUpRequest,
  AuthorizeRequest,
  Card,
} from './requests.ts';
import type { CallContext } from './call-context.ts';
import type { Definition } from './definition.ts';
import type { Outcome } from './outcome.ts';
import { tidyWords, type Confidential } from './words.ts';

/** One call of a provider: what to do, with which key, for how much. */
export type ConnectorCall =
  | ({ readonly verb: 'authorize' } & AuthorizeRequest)
  | ({ readonly verb: 'capture' } & CaptureRequest)
  | ({ readonly verb: 'refund' | 'void' } & FollowUpRequest)
  | ({ readonly verb: 'cancel' } & CancelRequest);

/**
 * The one caller of providers. Never throws: what a connector throws, and an answer that does not come within the
 * deadline, is `unknown`, because the provider may have done the work. A success for other money than was asked is
 * `unknown` too: the reservation is held until somebody has looked. The provider's words are tidied.
 */
export const callConnector = (
  connector: Connector,
  context: CallContext,
  log: Log,
  call: ConnectorCall,
): Promise<Outcome> => ask(connector, context, log, call, () => perform(connector, context, call));

/**
 * Asks a provider what became of an operation, under the same rules. Null: it says that it does not know the operation,
 * which alone proves nothing, for the request may still be on its way.
 */
export async function lookUp(
  connector: Connector,
  context: CallContext,
  log: Log,
  request: LookupRequest,
): Promise<Outcome | null> {
  const look = async (): Promise<Outcome> => (await connector.lookup(context, request)) ?? NOT_FOUND;
  const outcome = await ask(connector, context, log, request, look);
  return outcome === NOT_FOUND ? null : outcome;
}

/** Stands for "does not know it" on its way through the rules, which leave an unknown outcome as it is. */
const NOT_FOUND: Outcome = { kind: 'unknown', cause: 'unreadable' };

/** The parts of a call or a look-up that the rules need. What is in `card`, and the token, is kept out of the provider's words. */
export type Asked = Pick<LookupRequest, 'key' | 'money'> & {
  readonly verb: string;
  readonly card?: Pick<Card, 'number' | 'securityCode'> | null;
  readonly token?: string | null;
};

/** Performs a call under the rules of `callConnector`: the only way to an outcome. */
export async function ask(
  connector: Connector,
  context: CallContext,
  log: Log,
  call: Asked,
  performed: () => Promise<Outcome>,
): Promise<Outcome> {
  const said = await undisturbed(connector, context, log, call, performed);
  const outcome = tidyWords(said, confidential(connector, context, call));
  if (outcome.kind === 'succeeded' && !sameMoney(outcome.money, call.money)) {
    log.error(
      { connector: connector.id, verb: call.verb, key: call.key, ...moneyFields(outcome.money) },
      'Other money.',
    );
    return { kind: 'unknown', cause: 'unreadable' };
  }
  if (outcome.kind === 'unknown') {
    log.warn(
      { connector: connector.id, verb: call.verb, key: call.key, cause: outcome.cause },
      'Outcome unknown.',
    );
  }
  return outcome;
}

/** What a connector says within the deadline, whatever it throws. */
export async function undisturbed<Said>(
  connector: Pick<Connector, 'id'>,
  { deadlineMs }: Pick<CallContext, 'deadlineMs'>,
  log: Log,
  { verb, key }: { readonly verb: string; readonly key?: string },
  performed: () => Promise<Said>,
): Promise<Said | Unknown> {
  return await withDeadline(deadlineMs, performed()).catch((error: unknown): Unknown => {
    // The message may hold what was sent, so only its kind is logged.
    log.error({ connector: connector.id, verb, key, error: nameOf(error) }, 'A connector threw.');
    return { kind: 'unknown', cause: 'unreadable' };
  });
}

type Unknown = Extract<Outcome, { readonly kind: 'unknown' }>;

/** What must not be in the words of a provider that was given a card. */
export function confidential(
  connector: { readonly definitions: readonly Pick<Definition, 'fields'>[] },
  { credentials }: Pick<CallContext, 'credentials'>,
  { card, token }: Pick<Asked, 'card' | 'token'>,
): Confidential {
  const fields = connector.definitions.flatMap((definition) => definition.fields);
  const secrets = fields.flatMap(({ key, secret }) => (secret ? (credentials[key] ?? []) : []));
  return {
    cardNumber: card?.number ?? null,
    securityCode: card?.securityCode ?? null,
    credentials: token == null ? secrets : [...secrets, token],
  };
}

/** Async, so that a connector that throws at once is caught like one that throws later. */
async function perform(connector: Connector, context: CallContext, call: ConnectorCall): Promise<Outcome> {
  switch (call.verb) {
    case 'authorize':
      return connector.authorize(context, call);
    case 'capture':
      return connector.capture(context, call);
    case 'cancel':
      return connector.cancel(context, call);
    default:
      return connector[call.verb](context, call);
  }
}

/** The deadline is the connector's own business too; this one holds even for a connector that forgets it. */
async function withDeadline<Said>(deadlineMs: number, call: Promise<Said>): Promise<Said | Unknown> {
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
