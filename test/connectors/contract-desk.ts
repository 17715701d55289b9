import { pino } from 'pino';
import { createAccessTokenStore } from '../../src/connectors/calls/access-token-store.ts';
import { callBooks, callPaymentOf } from '../../src/connectors/calls/call-books.ts';
import { callConnector, lookUp, type ConnectorCall } from '../../src/connectors/calls/call.ts';
import { abandonPayment } from '../../src/connectors/calls/call-abandon.ts';
import { resumePayment } from '../../src/connectors/calls/call-resume.ts';
import { recoveryOf } from '../../src/connectors/interface/connector.ts';
import type { CallContext, Credentials } from '../../src/connectors/interface/call-context.ts';
import type { Definition } from '../../src/connectors/interface/definition.ts';
import type { Outcome } from '../../src/connectors/interface/outcome.ts';
import { readWebhook } from '../../src/connectors/reading/read-webhook.ts';
import type { Verb } from '../../src/connectors/interface/requests.ts';
import { isOperationNotice, type Notice } from '../../src/connectors/notices/webhook.ts';
import type { Money } from '../../src/kernel/money.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createHttpClient, SANDBOX_NETWORKS, type HttpClient } from '../../src/platform/http/http-client.ts';
import {
  authorization,
  callOf,
  RETURN_URL,
  somePayment,
  withoutSecurityCode,
  type Paid,
} from './contract-calls.ts';
import { orderOf } from './kit/orders.ts';
import {
  mannerOf,
  type ContractHand,
  type ContractProvider,
  type Decision,
  type Fault,
  type Manner,
  type OwedWebhook,
  type Subject,
  type ContractMeans,
  type MeansFeature,
} from './contract-provider.ts';

/** Long enough for a busy machine. A provider that must be too slow never answers. */
export const DEADLINE_MS = 60_000;

export type Changes = { readonly deadlineMs?: number; readonly http?: Pick<HttpClient, 'send'> };

/** An outcome, or what a webhook says of the outcome. */
export type Learned = Outcome | Notice['outcome'] | null;

/** Makes calls of one definition, and reads the provider's records since the last `ask`. */
export type Desk = ReturnType<typeof createDesk>;

export function createDesk(subject: Subject, definition: Definition) {
  const { connector } = subject;
  const manner: Manner = mannerOf(subject, definition);
  const lines: string[] = [];
  const log = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(line) });
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  let opened: ContractProvider | undefined;
  const tokens = createAccessTokenStore(systemClock);
  const createdAt = new Date();
  /** The references of the payments, as the core knows them by now. */
  const references = new Map<string, string>();
  /** The times of webhooks by the provider's clock, which may go on before the reading. */
  const signedAt = new WeakMap<OwedWebhook, Date>();
  let before = 0;
  let returned: Readonly<Record<string, string>> = {};

  const provider = (): ContractProvider => {
    if (!opened) throw new Error('The provider has not been started');
    return opened;
  };
  const nowThere = (): Date => provider().now?.() ?? new Date();
  const contextWith = (changes: Changes): CallContext => ({
    definition,
    credentials: provider().credentials,
    deadlineMs: DEADLINE_MS,
    environment: 'sandbox',
    accessTokens: tokens.of('service', provider().credentials),
    ...changes,
    http: { ...(provider().via?.(http) ?? http), ...changes.http },
  });
  const call = async (requested: ConnectorCall, changes: Changes = {}): Promise<Outcome> => {
    const answer = await callConnector(connector, contextWith(changes), log, requested);
    return noted(requested, answer);
  };
  /** Keeps the reference of a payment. */
  const noted = <Answer extends Outcome | null>({ verb, key }: ConnectorCall, answer: Answer): Answer => {
    if (answer && 'reference' in answer && answer.reference !== null && verb === 'authorize')
      references.set(key, answer.reference);
    return answer;
  };
  const referenceOf = (requested: ConnectorCall): string | null =>
    requested.verb === 'authorize' ? (references.get(requested.key) ?? null) : requested.reference;

  /** Makes a call that the provider approves, and returns the call with the provider's id. */
  const succeed = async <Call extends ConnectorCall>(requested: Call): Promise<Call & Done> => {
    const answer = await call(requested);
    if (answer.kind !== 'succeeded' && answer.kind !== 'accepted')
      throw new Error(`The ${requested.verb} before the test was ${answer.kind}`);
    provider().finish?.();
    provider().webhooks?.();
    return { ...requested, done: answer.reference };
  };
  const moneyOf = (verb: Verb): Money => {
    const money = provider().money(verb, 'approve');
    if (!money) throw new Error(`The provider never approves a ${verb}`);
    return money;
  };
  const resume = (requested: ConnectorCall, decision: 'approve' | 'refuse' | 'nothing'): Promise<Outcome> => {
    const { key, money } = requested;
    const reference = referenceOf(requested) ?? key;
    const capture = requested.verb === 'authorize' && requested.capture;
    returned = provider().returned?.(decision, key) ?? {};
    const request = { key, money, reference, capture, returned };
    return resumePayment(connector, contextWith({}), log, request);
  };
  const paying = (decision: Decision, verb: Verb = 'authorize') => provider().pays?.(decision, verb) ?? {};

  /** Lets the buyer pay elsewhere, and learns the outcome with the provider's id of the payment. */
  const payElsewhere = async (requested: ConnectorCall) => {
    provider().decidesElsewhere?.('approve', requested.key);
    if (manner.looksUp) return lookFor(requested);
    const notice = told().find((each) => isAbout(each, requested, null));
    return notice && { ...notice.outcome, reference: notice.reference };
  };

  /** Makes a payment, with its buyer where the provider asks every buyer. */
  const authorize = async (requested: ReturnType<typeof authorization>): Promise<typeof requested & Done> => {
    if (!manner.asksBuyer) return succeed(requested);
    await call({ ...requested, returnUrl: RETURN_URL });
    const paid = await (manner.returns ? resume(requested, 'approve') : payElsewhere(requested));
    if (paid?.kind !== 'succeeded' || !('reference' in paid) || paid.reference === null)
      throw new Error(`The payment before the test was ${paid?.kind}`);
    provider().webhooks?.();
    return { ...requested, done: paid.reference };
  };

  /** Makes the payment that a follow-up is about. */
  const payFirst = async (verb: Verb, decision: Decision, { amount }: Money): Promise<Paid> => {
    if (verb === 'authorize' || !manner.keepsPayments) return somePayment();
    const usual = moneyOf('authorize');
    const money = { ...usual, amount: Math.max(amount, usual.amount) };
    const canCapture = definition.supportedFeatures.delayed_capture;
    if (verb === 'cancel') return payLater();
    const capture = verb === 'refund' && !canCapture;
    const pays = { order: orderOf(money), ...paying(decision, verb), capture };
    const { key, done } = await authorize(authorization(money, pays));
    const paid = {
      ...{ reference: done, authorized: money.amount },
      ...{ authorizationKey: key, authorizationReference: done },
    };
    if (verb !== 'refund') return { ...paid, capture: null };
    if (capture) return { ...paid, capture: { key, reference: done } };
    const captured = await succeed({
      ...callOf('capture', money, { paid: { ...paid, capture: null }, pays: {} }),
    });
    return { ...paid, capture: { key: captured.key, reference: captured.done } };
  };

  /** Makes a payment that the provider has not decided. Some providers decide every payment at once. */
  const payLater = async (): Promise<Paid> => {
    const money = provider().money('authorize', 'later_approve');
    if (!money) return somePayment();
    const requested = authorization(money, { order: orderOf(money), ...paying('later_approve') });
    const answer = await call(requested);
    const reference = answer.kind === 'accepted' ? answer.reference : null;
    const paid = { authorizationKey: requested.key, authorizationReference: reference };
    return { ...somePayment(), ...paid };
  };

  const askFor = async (verb: Verb, decision: Decision): Promise<ConnectorCall | null> => {
    const money = provider().money(verb, decision);
    if (!money) return null;
    const paid = await payFirst(verb, decision, money);
    before = provider().keys().length;
    const requested = callOf(verb, money, { paid, pays: paying(decision) });
    if (requested.verb === 'refund' && !manner.keepsPayments)
      for (const { key, amount } of requested.captures) provider().hasCaptured?.(key, amount);
    const { authorizationKey, reference } = paid;
    provider().arrange?.(verb, decision, { verb, key: authorizationKey, reference });
    return requested;
  };

  /** Ends the provider's work, and takes the webhooks that it then owes. */
  const owed = (): readonly OwedWebhook[] => {
    provider().finish?.();
    const webhooks = provider().webhooks?.() ?? [];
    for (const webhook of webhooks) signedAt.set(webhook, nowThere());
    return webhooks;
  };
  const readAs = (credentials: Credentials, webhook: OwedWebhook) => {
    const { headers, body, material } = webhook;
    return readWebhook(
      connector,
      {
        ...{ definition, credentials, environment: 'sandbox' },
        ...{ headers, rawBody: Buffer.from(body), now: signedAt.get(webhook) ?? nowThere() },
        ...(material !== undefined && { material }),
      },
      log,
    );
  };
  const read = (webhook: OwedWebhook): readonly Notice[] => {
    const reading = readAs(provider().credentials, webhook);
    if (!reading.ok) throw new Error(`A webhook of the provider was ${reading.refusals[0]}`);
    if (reading.value.unread.length > 0) throw new Error('A webhook of the provider was not read');
    return reading.value.notices.filter(isOperationNotice);
  };
  const told = (): readonly Notice[] => owed().flatMap(read);
  const lookFor = async (
    requested: ConnectorCall,
    reference = referenceOf(requested),
  ): Promise<Outcome | null> => {
    const { verb, key, money } = requested;
    // A search may be late.
    if (reference === null) provider().letWorkAppear?.();
    const request = { verb, key, money, createdAt, reference, approval: null, resuming: false };
    return noted(requested, await lookUp(connector, contextWith({}), log, request));
  };
  const isLookedUp = ({ verb }: ConnectorCall): boolean => recoveryOf(connector, verb).kind === 'lookup';
  /** Repeats a request as recovery does, once the provider shows its work. */
  const repeat = (requested: ConnectorCall): Promise<Outcome> => {
    provider().letWorkAppear?.();
    const isFirst = requested.verb === 'authorize' && !isLookedUp(requested);
    return call(isFirst ? requested : withoutSecurityCode(requested));
  };
  return {
    manner,
    can: (fault: Fault) => subject.faults.includes(fault),
    open: async () => {
      opened = await subject.start(definition);
    },
    close: async () => {
      http.close();
      await provider().close();
    },
    /** Prepares a new request with this decision. Null when the provider never decides so. */
    askFor,
    /** Prepares a request with a decision that every provider can make. */
    ask: async (verb: Verb, decision: 'approve'): Promise<ConnectorCall> => {
      const requested = await askFor(verb, decision);
      if (!requested) throw new Error(`The provider never does ${decision} a ${verb}`);
      return requested;
    },
    meansFor: (feature: MeansFeature): ContractMeans | null => provider().means?.(feature) ?? null,
    /** Returns accounts for shares of a payment. */
    recipients: (): NonNullable<ContractProvider['recipients']> => {
      const { recipients } = provider();
      if (!recipients) throw new Error('A provider with the feature splits needs recipients');
      return recipients;
    },
    call,
    succeed,
    pay: authorize,
    /** Looks a request up, with the reference that the core knows by now. */
    lookUp: lookFor,
    /** Reads a payment whole, as the core does. */
    readBooks: (reference: string, changes: Changes = {}) =>
      callBooks(connector, contextWith(changes), log, {
        ...{ reference, createdAt, currency: moneyOf('authorize').currency },
      }),
    /** Asks for the payment of a capture, as the core does. */
    paymentOf: (captureReference: string, changes: Changes = {}) =>
      callPaymentOf(connector, contextWith(changes), log, { captureReference }),
    /** The acts of a person at the provider. */
    hand: (): ContractHand => {
      const { elsewhere } = provider();
      if (!elsewhere) throw new Error('A provider with readBooks needs the acts of a person');
      return elsewhere;
    },
    owed,
    read,
    /** Lists the payments that a webhook names for a look-up. */
    lookUpsIn: (webhook: OwedWebhook): readonly string[] => {
      const reading = readAs(provider().credentials, webhook);
      return reading.ok ? reading.value.lookUps : [];
    },
    /** Reads a webhook with other credentials than those it is signed for. */
    readForged: (webhook: OwedWebhook) => readAs(othersThan(provider().credentials), webhook),
    /** Ends the provider's work, and reads the webhooks that it then owes. */
    told,
    finish: () => provider().finish?.(),
    repeat,
    /**
     * Learns an outcome as the core does: by a repeat, and first by a look-up where the connector says so. A look-up follows if the
     * repeat only arrived. If nobody can be asked, a webhook tells.
     */
    learn: async (requested: ConnectorCall): Promise<Learned> => {
      if (isLookedUp(requested)) {
        provider().letWorkAppear?.();
        const shown = await lookFor(requested);
        if (shown !== null) return shown;
      }
      const repeated = await repeat(requested);
      if (repeated.kind !== 'unknown') return repeated;
      const found = repeated.arrived ? await lookFor(requested) : repeated;
      if (manner.looksUp || (found && found.kind !== 'unknown')) return found;
      const about = told().find((notice) => isAbout(notice, requested, null));
      return about?.outcome ?? null;
    },
    /** Sends a new payment whose buyer goes to the provider's page. Null when no buyer comes back. */
    leave: async (how: 'by a GET' | 'by a form' = 'by a GET'): Promise<ConnectorCall | null> => {
      const { goesByForm } = provider();
      if (!manner.returns || (how === 'by a form' && !goesByForm)) return null;
      const requested = await askFor('authorize', 'approve');
      if (requested?.verb !== 'authorize') return null;
      const money = how === 'by a form' && goesByForm ? goesByForm : requested.money;
      return { ...requested, money, card: null, ...provider().leaves?.(), returnUrl: RETURN_URL };
    },
    resume,
    /** Ends the time of a buyer who is away, as the core does. If nobody can be asked, the provider's webhook tells. */
    abandon: async (requested: ConnectorCall): Promise<Learned> => {
      const { key, money } = requested;
      provider().letTimePass?.();
      const found = await abandonPayment(connector, contextWith({}), log, {
        ...{ verb: 'authorize', key, money, createdAt, reference: referenceOf(requested) },
        ...{ approval: 'expired', resuming: false },
      });
      if (found !== null || manner.looksUp) return found;
      provider().closes?.(key);
      return told().find((notice) => isAbout(notice, requested, null))?.outcome ?? null;
    },
    /** Lets the buyer decide where nobody comes back from. */
    decideElsewhere: (requested: ConnectorCall, decision: 'approve' | 'refuse'): void =>
      provider().decidesElsewhere?.(decision, requested.key),
    /** Lists the parts of an answer that tell the buyer how to pay elsewhere. */
    instructs: () => provider().instructs ?? [],
    /** Lets the buyer decide at the provider's page, without a return. */
    decide: (requested: ConnectorCall, decision: 'approve' | 'refuse'): void =>
      void provider().returned?.(decision, requested.key),
    /** Lists the values of the parameters of the last return. */
    values: () => Object.values(returned),
    /** Prepares a capture of a payment that has this reference at the provider. */
    captureOf: ({ key, money }: ConnectorCall, reference: string): ConnectorCall => {
      const paid = {
        ...{ reference, authorized: money.amount, capture: null },
        ...{ authorizationKey: key, authorizationReference: reference },
      };
      return callOf('capture', money, { paid, pays: {} });
    },
    takeBack: (verb: 'authorize' | 'capture' | 'refund', key: string) =>
      provider().takeBack?.(verb, key) ?? false,
    /** Takes back two equal parts, one minor unit each. False if the provider only takes back the whole. */
    takeBackParts: (verb: 'authorize' | 'capture' | 'refund', key: string): boolean => {
      const at = provider();
      if (!at.takeBackPart || verb === 'authorize') return false;
      for (let part = 0; part < 2; part += 1) at.takeBackPart(verb, key, 1);
      return true;
    },
    tells: () => provider().webhooks !== undefined && !manner.onlyNames,
    failNext: (...faults: readonly Fault[]) => provider().failNext(...faults),
    /** Makes faults of the next look-ups. */
    failNextLookUp: (...faults: readonly Fault[]) => {
      const at = provider();
      if (at.failNextRead) at.failNextRead(...faults);
      else at.failNext(...faults);
    },
    release: () => provider().release(),
    keys: () => provider().keys().slice(before),
    done: (key: string) =>
      provider()
        .done()
        .filter((each) => each === key).length,
    secrets: () =>
      definition.fields.flatMap(({ key, secret }) => (secret ? (provider().credentials[key] ?? []) : [])),
    logs: () => lines.join(''),
  };
}

/** Returns credentials that no webhook is signed for. */
const othersThan = (credentials: Credentials): Credentials =>
  Object.fromEntries(Object.entries(credentials).map(([key, value]) => [key, `other${value}`]));

/** A call that the provider has approved, with its id there. */
type Done = { readonly done: string };

/** Tells whether a notice is about a request, as the core finds the operation of a notice. */
export function isAbout(notice: Notice, requested: ConnectorCall, reference: string | null): boolean {
  if (notice.verb !== requested.verb) return false;
  if (notice.key === requested.key) return true;
  if (reference !== null && notice.reference === reference) return true;
  const named = notice.key ?? notice.reference;
  if (requested.verb === 'authorize') return named === null && notice.paymentReference === reference;
  if (requested.verb === 'cancel') return notice.authorizationKey === requested.authorizationKey;
  return named === null && notice.paymentReference === requested.reference;
}
