import type { ZodType } from 'zod';
import type { Log } from '../../platform/log.ts';
import type { AntiFraudConnector } from '../anti-fraud/connector.ts';
import type { Connector } from '../interface/connector.ts';
import type { PackageName } from '../interface/definition.ts';
import type { Settlements } from '../notices/settlements.ts';
import type { Webhooks } from '../notices/webhook.ts';
import * as forms from './answers.ts';
import { callsOf, type Calls } from './enclosed-call.ts';
import { reaches, type Reach } from './declared-hosts.ts';
import type { DeclaredHosts, PackagedAntiFraud, PackagedConnector } from './package.ts';
import { runAs } from './stray-errors.ts';
import { notices, proof, reviews, verified } from './webhook-forms.ts';

/** The surroundings of the connectors of packages. */
export type Surroundings = { readonly environment: keyof DeclaredHosts; readonly log: Log };

/**
 * Encloses a connector of a package:
 *
 * - Its calls are those of `callsOf`: with a client that ends with the call, and with answers in their form.
 * - Errors that it throws beside its answer do not end the process.
 * - `from`: the package, which its definitions then name.
 */
export function enclose(
  connector: PackagedConnector,
  from: PackageName,
  surroundings: Surroundings,
): Connector {
  const { id, definitions, recovery, namesCaptures, amounts, webhooks } = connector;
  const hosts = connector.hosts[surroundings.environment];
  const call = callsOf({ id, definitions, hosts }, surroundings.log);
  return {
    definitions: definitions.map((definition) => ({ ...definition, package: from })),
    ...{ id, recovery, ...(namesCaptures && { namesCaptures }), ...(amounts && { amounts }) },
    ...optionalVerbs(connector, call),
    ...(webhooks && { webhooks: enclosedWebhooks({ id, hosts }, webhooks) }),
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
    ...(connector.report && { report: call('report', forms.report, connector.report.bind(connector)) }),
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
function enclosedWebhooks({ id, hosts }: Reach, webhooks: Webhooks): Webhooks {
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
    ...(webhooks.material && { material: enclosedMaterial({ id, hosts }, webhooks.material.bind(webhooks)) }),
    ...(webhooks.challenge && { challenge: enclosedChallenge(id, webhooks.challenge.bind(webhooks)) }),
  };
}

type Challenge = NonNullable<Webhooks['challenge']>;

const enclosedChallenge =
  (id: string, challenge: Challenge): Challenge =>
  (query, credentials) =>
    inForm(
      proof,
      runAs(id, () => challenge({ ...query }, { ...credentials })),
    );

type Material = NonNullable<Webhooks['material']>;

/** Throws for a text of another host than the declared ones. The caller takes an exception for a forged webhook. */
const enclosedMaterial =
  ({ id, hosts }: Reach, name: Material): Material =>
  (request) => {
    const named = runAs(id, () => name({ ...request }));
    if (named === null) return null;
    const { url, hosts: allowed } = named;
    if (!reaches(hosts, url))
      throw new TypeError('The connector names a text of a host that it does not declare.');
    return { url, hosts: allowed };
  };

/** Returns a copy of what a connector read, in its form. */
function inForm<Answer>(form: ZodType, answer: Answer): Answer {
  const { success, data } = form.safeParse(answer);
  if (success) return data as Answer;
  throw new TypeError('The connector read a webhook into another form.');
}
