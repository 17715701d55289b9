import type { ZodType } from 'zod';
import type { Log } from '../../platform/log.ts';
import type { AntiFraudConnector } from '../anti-fraud/connector.ts';
import type { CallContext } from '../interface/call-context.ts';
import type { Connector } from '../interface/connector.ts';
import type { Definition, PackageName } from '../interface/definition.ts';
import type { Unknown } from '../interface/outcome.ts';
import type { Settlements } from '../notices/settlements.ts';
import type { Webhooks } from '../notices/webhook.ts';
import { secretFieldsOf } from '../reading/read-webhook.ts';
import * as forms from './answers.ts';
import { connectorLog } from './connector-log.ts';
import { withinHosts, type Reach } from './declared-hosts.ts';
import type { DeclaredHosts, PackagedAntiFraud, PackagedConnector } from './package.ts';
import { runAs } from './stray-errors.ts';
import { notices, reviews, verified } from './webhook-forms.ts';

/** The surroundings of the connectors of packages. */
export type Surroundings = { readonly environment: keyof DeclaredHosts; readonly log: Log };

/**
 * Encloses a connector of a package:
 *
 * - It gets copies of the credentials and of each request, a client that reaches only its declared hosts, and a log that hides.
 * - An answer in another form is `unknown`, because the provider may have done the work.
 * - Errors that it throws beside its answer do not end the process.
 * - `from`: the package, which its definitions then name.
 */
export function enclose(
  connector: PackagedConnector,
  from: PackageName,
  surroundings: Surroundings,
): Connector {
  const { id, definitions, recovery, namesCaptures, webhooks } = connector;
  const call = callsOf(
    { id, definitions, hosts: connector.hosts[surroundings.environment] },
    surroundings.log,
  );
  return {
    definitions: definitions.map((definition) => ({ ...definition, package: from })),
    ...{ id, recovery, ...(namesCaptures && { namesCaptures }) },
    ...optionalVerbs(connector, call),
    ...(webhooks && { webhooks: enclosedWebhooks(id, webhooks) }),
    ...(connector.googlePay && {
      googlePay: receiverOf(id, connector.googlePay.bind(connector), surroundings.log),
    }),
    ...enclosedParts(connector, call),
    authorize: call('authorize', forms.outcome, connector.authorize.bind(connector)),
    capture: call('capture', forms.outcome, connector.capture.bind(connector)),
    refund: call('refund', forms.outcome, connector.refund.bind(connector)),
    void: call('void', forms.outcome, connector.void.bind(connector)),
    cancel: call('cancel', forms.outcome, connector.cancel.bind(connector)),
    lookup: call('lookup', forms.foundOutcome, connector.lookup.bind(connector)),
  };
}

/** Encloses a third party of a package, under the rules of `enclose`. */
export function encloseAntiFraud(
  connector: PackagedAntiFraud,
  from: PackageName,
  { environment, log }: Surroundings,
): AntiFraudConnector {
  const { id, definitions, hosts } = connector;
  const call = callsOf({ id, definitions, hosts: hosts[environment] }, log);
  return {
    id,
    definitions: definitions.map((definition) => ({ ...definition, package: from })),
    check: call('check', forms.check, connector.check.bind(connector)),
    readWebhook: (request) =>
      inForm(
        reviews,
        runAs(id, () => connector.readWebhook({ ...request })),
      ),
  };
}

type GooglePay = NonNullable<Connector['googlePay']>;

/** Without a receiver, a page offers no Google Pay and keeps its other methods. */
const receiverOf =
  (id: string, find: GooglePay, log: Log): GooglePay =>
  (fields) => {
    try {
      return runAs(id, () => find({ ...fields }));
    } catch (error) {
      const name = error instanceof Error ? error.name : typeof error;
      log.error({ connector: id, error: name }, 'The connector threw an exception about Google Pay.');
      return null;
    }
  };

type Calls = ReturnType<typeof callsOf>;

type Fielded = { readonly definitions: readonly Pick<Definition, 'fields'>[] };

/** The part of a context that every call has. */
type Context = Pick<CallContext, 'credentials' | 'http'>;

function callsOf({ definitions, ...reach }: Reach & Fielded, log: Log) {
  return <In extends Context, Request, Answer>(
    verb: string,
    form: ZodType,
    perform: (context: In, request: Request) => Promise<Answer>,
  ) =>
    async (context: In, request: Request): Promise<Answer | Unknown> => {
      const http = withinHosts(context.http, reach, log);
      const credentials = { ...context.credentials };
      const own = connectorLog(reach.id, secretFieldsOf({ definitions }, credentials), log);
      const inside = Object.freeze({ ...context, http, credentials, log: own });
      const answer = await runAs(reach.id, () => perform(inside, copyOf(request)));
      const { error } = form.safeParse(answer);
      if (!error) return answer;
      const field = error.issues[0]?.path.join('.') ?? '';
      log.error({ connector: reach.id, verb, field }, 'The connector answered in another form.');
      return { kind: 'unknown', cause: 'unreadable' };
    };
}

/** Copies a request, so that no connector changes the amount that its answer is compared with. */
const copyOf = <Request>(request: Request): Request =>
  isCloneable(request) ? structuredClone(request) : { ...request };

/** A request with a function cannot be cloned. */
const isCloneable = (request: unknown): boolean =>
  typeof request !== 'object' ||
  request === null ||
  Object.values(request).every((value) => typeof value !== 'function');

function optionalVerbs(given: PackagedConnector, call: Calls): Partial<Connector> {
  const { outcome } = forms;
  return {
    ...(given.increase && { increase: call('increase', outcome, given.increase.bind(given)) }),
    ...(given.reauthorize && { reauthorize: call('reauthorize', outcome, given.reauthorize.bind(given)) }),
    ...(given.resume && { resume: call('resume', outcome, given.resume.bind(given)) }),
    ...(given.abandon && { abandon: call('abandon', outcome, given.abandon.bind(given)) }),
    ...(given.readBooks && { readBooks: call('read_books', forms.books, given.readBooks.bind(given)) }),
    ...(given.paymentOf && {
      paymentOf: call('payment_of', forms.foundPayment, given.paymentOf.bind(given)),
    }),
    ...(given.verify && { verify: enclosedVerify(given.verify.bind(given), call) }),
    ...(given.revokeMandate && {
      revokeMandate: call('revoke_mandate', forms.refusable('revoked'), given.revokeMandate.bind(given)),
    }),
    ...(given.readStoredMethod && {
      readStoredMethod: call('read_stored_method', forms.storedMethod, given.readStoredMethod.bind(given)),
    }),
  };
}

type Verify = NonNullable<Connector['verify']>;

function enclosedVerify(verify: Verify, call: Calls): Verify {
  const enclosed = call('verify', forms.verification, verify);
  return (context) => enclosed(context, undefined);
}

function enclosedParts(
  { giftCards, disputes, settlements, sessions }: PackagedConnector,
  call: Calls,
): Partial<Connector> {
  const { submitEvidence, accept } = disputes ?? {};
  const done = forms.refusable('done');
  return {
    ...(giftCards && {
      giftCards: {
        balance: call('balance', forms.balance, giftCards.balance.bind(giftCards)),
        redeem: call('redeem', forms.outcome, giftCards.redeem.bind(giftCards)),
        unredeem: call('unredeem', forms.outcome, giftCards.unredeem.bind(giftCards)),
        refund: call('refund', forms.outcome, giftCards.refund.bind(giftCards)),
      },
    }),
    ...(disputes && {
      disputes: {
        ...(submitEvidence && {
          submitEvidence: call('submit_evidence', done, submitEvidence.bind(disputes)),
        }),
        ...(accept && { accept: call('accept_dispute', done, accept.bind(disputes)) }),
      },
    }),
    ...(settlements && { settlements: { fetch: enclosedFetch(settlements, call) } }),
    ...(sessions && {
      sessions: { open: call('session', forms.openedSession, sessions.open.bind(sessions)) },
    }),
  };
}

/** The books of Paygraph are for a simulator in the house alone. */
function enclosedFetch(settlements: Settlements, call: Calls): Settlements['fetch'] {
  const fetch = call('fetch_settlements', forms.settlements, settlements.fetch.bind(settlements));
  return (context, request) => fetch(context, { ...request, booked: () => Promise.resolve([]) });
}

/** The callers take an exception for an unreadable webhook. A simulator of webhooks runs in the house alone. */
function enclosedWebhooks(id: string, webhooks: Webhooks): Webhooks {
  return {
    verify: (request) =>
      inForm(
        verified,
        runAs(id, () => webhooks.verify({ ...request })),
      ),
    read: (part, receiver) =>
      inForm(
        notices,
        runAs(id, () => webhooks.read(part, { ...receiver })),
      ),
    ...(webhooks.material && { material: enclosedMaterial(id, webhooks.material.bind(webhooks)) }),
  };
}

type Material = NonNullable<Webhooks['material']>;

const enclosedMaterial =
  (id: string, name: Material): Material =>
  (request) =>
    runAs(id, () => name({ ...request }));

function inForm<Answer>(form: ZodType, answer: Answer): Answer {
  if (form.safeParse(answer).success) return answer;
  throw new TypeError('The connector read a webhook into another form.');
}
