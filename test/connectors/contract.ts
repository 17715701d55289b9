import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describeReturn } from './return-contract.ts';
import { describeDefinition } from './definition-contract.ts';
import { describeMeans, type ContractMeans, type MeansFeature } from './means-contract.ts';
import { noTokens } from '../support/no-tokens.ts';
import { callConnector, lookUp, type ConnectorCall } from '../../src/connectors/call.ts';
import { resumePayment } from '../../src/connectors/call-resume.ts';
import type { Connector } from '../../src/connectors/connector.ts';
import type { Verb } from '../../src/connectors/requests.ts';
import type { CallContext, Credentials } from '../../src/connectors/call-context.ts';
import type { Definition, Feature } from '../../src/connectors/definition.ts';
import type { Outcome } from '../../src/connectors/outcome.ts';
import type { Money } from '../../src/kernel/money.ts';
import {
  createHttpClient,
  NO_TIMING,
  SANDBOX_NETWORKS,
  type HttpClient,
} from '../../src/platform/http-client.ts';

/**
 * A provider's decision about a request. With `later_…` the provider accepts the request and decides before the next
 * look-up.
 */
export type Decision = 'approve' | 'decline' | 'fail' | 'later_approve' | 'later_decline';

/**
 * The fault of the next request:
 *
 * - The request is lost before the work, or the answer after the work.
 * - The answer is a server error after the work, nonsense, or about another amount.
 * - The answer waits until `release`.
 * - The answer is "still deciding" or "not found". Only a look-up may believe these two.
 */
export type Fault =
  | 'lose_request'
  | 'lose_answer'
  | 'error_after_work'
  | 'nonsense'
  | 'other_money'
  | 'hang'
  | 'still_deciding'
  | 'not_found';

/** A fake of the connector's provider, in that provider's own words. */
export type ContractProvider = {
  /** The configuration of a payment service at the provider. Every secret field of the definition has a value. */
  readonly credentials: Credentials;
  /** Returns an amount with this decision, or null when the provider never decides so for this verb. */
  money(verb: Verb, decision: Decision): Money | null;
  /**
   * Returns the parameters with which the provider's page sends the buyer back after a decision. Null when no buyer of
   * the definition comes back.
   */
  returned?(decision: 'approve' | 'refuse' | 'nothing'): Readonly<Record<string, string>> | null;
  /** Returns means of a feature that the provider approves. Absent if the fake takes cards in clear alone. */
  means?(feature: MeansFeature): ContractMeans;
  /** Books a capture from before, in minor units, which a refund then names. */
  hasCaptured?(key: string, amount: number): void;
  failNext(...faults: readonly Fault[]): void;
  release(): void;
  /** Lists the keys of all arrived requests, including look-ups, in order. */
  keys(): readonly string[];
  /** Lists the keys of decided requests. */
  done(): readonly string[];
  close(): Promise<void>;
};

/** The test data of one connector. */
export type Subject = {
  /** The manner of its provider. */
  readonly name: string;
  readonly connector: Connector;
  start(definition: Definition): Promise<ContractProvider>;
};

const VERBS: readonly Verb[] = ['authorize', 'capture', 'refund', 'void', 'cancel'];

/** The feature that a definition needs for a verb. */
const NEEDED: Readonly<Record<Verb, Feature | null>> = {
  authorize: null,
  capture: 'delayed_capture',
  refund: 'refunds',
  void: 'void',
  cancel: 'cancel',
};

/** A payment without stored data. */
const ALONE = {
  store: false,
  tokenizes: false,
  source: 'ecommerce',
  merchantInitiated: false,
  isSubsequentPayment: false,
  schemeTransactionId: null,
} as const;

/** A payer without any details. */
const NOBODY = {
  ...{ reference: null, firstName: null, lastName: null, email: null, phone: null },
  ...{ billingAddress: null, shipping: null },
};

const CARD = { number: '4111111111111111', expirationDate: '03/30', securityCode: '737' };

/** Long enough for a busy machine. A provider that must be too slow never answers. */
const DEADLINE_MS = 60_000;
const SHORT_MS = 150;

/**
 * Defines the tests that hold for every connector and each of its definitions, under the rules of the only caller.
 */
export function describeContract(subject: Subject): void {
  describe.each(subject.connector.definitions.map((definition) => [definition.id, definition] as const))(
    `${subject.connector.id} as %s, ${subject.name}`,
    (_, definition) => {
      const desk = createDesk(subject, definition);
      beforeAll(() => desk.open());
      afterAll(() => desk.close());
      describeDefinition(subject.connector, definition);
      // Gift cards have separate verbs, with separate tests.
      if (definition.method === 'gift-card') return;
      if (definition.approvalWindow) describe('return', () => describeReturn(desk));
      describeMeans(desk, definition);
      const can = VERBS.filter((verb) => {
        const feature = NEEDED[verb];
        return feature === null || definition.supportedFeatures[feature];
      });
      describe.each(can)('%s', (verb) => {
        describeAnswers(desk, verb);
        describeFaults(desk, verb);
        describeLookUp(desk, verb);
      });
    },
  );
}

function describeAnswers(desk: Desk, verb: Verb): void {
  it('reads an approval as a success, with the requested amount, and does the work once', async () => {
    const requested = desk.ask(verb, 'approve');

    expect(await desk.call(requested)).toMatchObject({
      kind: 'succeeded',
      reference: expect.stringMatching(/./),
      money: requested.money,
    });
    expect([desk.keys(), desk.done(requested.key)]).toEqual([[requested.key], 1]);
  });

  it('reads a decline as a decline, with a code', async () => {
    const requested = desk.askFor(verb, 'decline');
    if (!requested) return;

    expect(await desk.call(requested)).toMatchObject({
      kind: 'declined',
      errorCode: expect.stringMatching(/^[a-z_]+$/),
    });
  });

  it('reads a failure without effect as a failure, with a code', async () => {
    const requested = desk.askFor(verb, 'fail');
    if (!requested) return;

    expect(await desk.call(requested)).toMatchObject({
      kind: 'failed',
      errorCode: expect.stringMatching(/^[a-z_]+$/),
    });
  });

  it.each(['later_approve', 'later_decline'] as const)(
    'never reads an accepted request as decided: %s',
    async (decision) => {
      const requested = desk.askFor(verb, decision);
      if (!requested) return;

      expect(await desk.call(requested)).toMatchObject({
        kind: 'accepted',
        reference: expect.stringMatching(/./),
      });
      desk.failNext('still_deciding');
      expect(await desk.lookUp(requested)).toMatchObject({ kind: 'accepted' });
      expect(await desk.lookUp(requested)).toMatchObject(
        decision === 'later_approve'
          ? { kind: 'succeeded', money: requested.money }
          : { kind: 'declined', errorCode: expect.stringMatching(/^[a-z_]+$/) },
      );
    },
  );

  it('gives a repeat the same answer under the same key, and the work is done once', async () => {
    const requested = desk.ask(verb, 'approve');

    const answers = [await desk.call(requested), await desk.call(requested)];

    expect(answers[1]).toEqual(answers[0]);
    expect([desk.keys(), desk.done(requested.key)]).toEqual([[requested.key, requested.key], 1]);
  });

  it('keeps concurrent calls apart', async () => {
    const requested = Array.from({ length: 5 }, () => desk.ask(verb, 'approve'));

    const answers = await Promise.all(requested.map((each) => desk.call(each)));

    const references = answers.map((answer) => answer.kind === 'succeeded' && answer.reference);
    expect(new Set(references).size).toBe(5);
    expect(desk.keys().toSorted()).toEqual(requested.map(({ key }) => key).toSorted());
  });

  it('reveals neither the card nor the secrets', async () => {
    const requested = [desk.ask(verb, 'approve'), desk.askFor(verb, 'decline')].flatMap((each) => each ?? []);

    const answers = await Promise.all(requested.map((each) => desk.call(each)));

    for (const secret of [CARD.number, ...desk.secrets()]) {
      expect(JSON.stringify(answers)).not.toContain(secret);
      expect(desk.logs()).not.toContain(secret);
    }
  });
}

function describeFaults(desk: Desk, verb: Verb): void {
  it.each<readonly [Fault, string]>([
    ['lose_request', 'connection'],
    ['lose_answer', 'connection'],
    ['error_after_work', 'server_error'],
    ['nonsense', 'unreadable'],
    ['other_money', 'unreadable'],
    ['not_found', 'unreadable'],
  ])('reads %s as an unknown outcome, which a repeat finds', async (fault, cause) => {
    const requested = desk.ask(verb, 'approve');
    desk.failNext(fault);

    expect(await desk.call(requested)).toEqual({ kind: 'unknown', cause });

    expect(await desk.learn(requested)).toMatchObject({ kind: 'succeeded', money: requested.money });
    expect(new Set(desk.keys())).toEqual(new Set([requested.key]));
    expect(desk.done(requested.key)).toBe(1);
  });

  it.each([
    ['approve', 'succeeded'],
    ['decline', 'declined'],
    ['fail', 'failed'],
  ] as const)('finds a lost %s by a repeat without the security code', async (decision, kind) => {
    const requested = desk.askFor(verb, decision);
    if (!requested) return;
    desk.failNext('lose_answer');
    await desk.call(requested);

    expect(await desk.learn(withoutSecurityCode(requested))).toMatchObject({ kind });
    expect(desk.done(requested.key)).toBe(1);
  });

  it.each(['decline', 'fail'] as const)('finds after a lost answer that it was a %s', async (decision) => {
    const requested = desk.askFor(verb, decision);
    if (!requested) return;
    desk.failNext('lose_answer');

    const answers = [await desk.call(requested), await desk.call(requested)];

    expect(answers.map(({ kind }) => kind)).toEqual([
      'unknown',
      decision === 'decline' ? 'declined' : 'failed',
    ]);
  });

  it('gives up at the deadline, and a late answer changes nothing', async () => {
    const requested = desk.ask(verb, 'approve');
    desk.failNext('hang');
    const startedAt = performance.now();

    expect(await desk.call(requested, { deadlineMs: SHORT_MS })).toEqual({
      kind: 'unknown',
      cause: 'timeout',
    });

    expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS / 2);
    desk.release();
    expect(await desk.call(requested)).toMatchObject({ kind: 'succeeded', money: requested.money });
    expect(desk.done(requested.key)).toBe(1);
  });

  it('reports of an unreachable provider that the request never left', async () => {
    const requested = desk.ask(verb, 'approve');

    expect(await desk.call(requested, { http: AWAY })).toEqual({
      kind: 'unknown',
      cause: 'connection',
      sent: false,
    });
    expect(desk.keys()).toEqual([]);
  });
}

function describeLookUp(desk: Desk, verb: Verb): void {
  it.each(['approve', 'decline', 'fail'] as const)('is found by a look-up: %s', async (decision) => {
    const requested = desk.askFor(verb, decision);
    if (!requested) return;
    const reported = await desk.call(requested);

    const found = await desk.lookUp(requested);

    expect({ ...found, avsResponseCode: null, cvvResponseCode: null }).toEqual({
      ...reported,
      avsResponseCode: null,
      cvvResponseCode: null,
    });
    expect([desk.keys(), desk.done(requested.key)]).toEqual([[requested.key, requested.key], 1]);
  });

  it('is not found by a look-up when it never arrived, and the look-up does not do the work', async () => {
    const requested = desk.ask(verb, 'approve');

    expect(await desk.lookUp(requested)).toBeNull();

    expect([desk.keys(), desk.done(requested.key)]).toEqual([[requested.key], 0]);
  });

  it.each<readonly [Fault, string]>([
    ['lose_request', 'connection'],
    ['error_after_work', 'server_error'],
    ['nonsense', 'unreadable'],
    ['other_money', 'unreadable'],
  ])('is unknown after a look-up that meets %s', async (fault, cause) => {
    const requested = desk.ask(verb, 'approve');
    await desk.call(requested);
    desk.failNext(fault);

    expect(await desk.lookUp(requested)).toEqual({ kind: 'unknown', cause });
    expect(await desk.lookUp(requested)).toMatchObject({ kind: 'succeeded' });
  });
}

/** A client of a network without any answer. */
const AWAY: Pick<HttpClient, 'send'> = {
  send: () =>
    Promise.resolve({
      failure: { kind: 'connection_refused', sent: false, durationMs: 0, timing: NO_TIMING },
    }),
};

type Desk = ReturnType<typeof createDesk>;
type Changes = { readonly deadlineMs?: number; readonly http?: Pick<HttpClient, 'send'> };

/** Makes calls of one definition, and reads the provider's records since the last `ask`. */
function createDesk(subject: Subject, definition: Definition) {
  const { connector } = subject;
  const lines: string[] = [];
  const log = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(line) });
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  let opened: ContractProvider | undefined;
  const createdAt = new Date();
  let before = 0;

  const provider = (): ContractProvider => {
    if (!opened) throw new Error('The provider has not been started');
    return opened;
  };
  const contextWith = (changes: Changes): CallContext => ({
    definition,
    credentials: provider().credentials,
    deadlineMs: DEADLINE_MS,
    environment: 'sandbox',
    accessTokens: noTokens(),
    ...changes,
    http: { ...http, ...changes.http },
  });
  const askFor = (verb: Verb, decision: Decision): ConnectorCall | null => {
    before = provider().keys().length;
    const money = provider().money(verb, decision);
    const call = money && callOf(verb, money);
    if (call?.verb === 'refund')
      for (const { key, amount } of call.captures) provider().hasCaptured?.(key, amount);
    return call;
  };
  return {
    open: async () => {
      opened = await subject.start(definition);
    },
    close: async () => {
      http.close();
      await provider().close();
    },
    /** Sends a new request with this decision. Null when the provider never decides so. */
    askFor,
    meansFor: (feature: MeansFeature): ContractMeans | null => provider().means?.(feature) ?? null,
    /** Sends a request with a decision that every provider can make. */
    ask: (verb: Verb, decision: 'approve'): ConnectorCall => {
      const requested = askFor(verb, decision);
      if (!requested) throw new Error(`The provider never does ${decision} a ${verb}`);
      return requested;
    },
    call: (requested: ConnectorCall, changes: Changes = {}): Promise<Outcome> =>
      callConnector(connector, contextWith(changes), log, requested),
    lookUp: ({ verb, key, money }: ConnectorCall): Promise<Outcome | null> =>
      lookUp(connector, contextWith({}), log, {
        ...{ verb, key, money, createdAt, reference: REFERENCE, approval: null },
      }),
    /** Learns an outcome as the core does: by a repeat. A look-up follows if the repeat only arrived. */
    learn: async function (requested: ConnectorCall): Promise<Outcome | null> {
      const repeated = await this.call(requested);
      return repeated.kind === 'unknown' && repeated.arrived ? this.lookUp(requested) : repeated;
    },
    /** Sends a new payment whose buyer goes to the provider's page. Null when no buyer comes back. */
    leave: (): ConnectorCall | null => {
      const requested = provider().returned?.('approve') ? askFor('authorize', 'approve') : null;
      return requested?.verb === 'authorize' ? { ...requested, card: null, returnUrl: RETURN_URL } : null;
    },
    resume: ({ key, money }: ConnectorCall, decision: 'approve' | 'refuse' | 'nothing'): Promise<Outcome> => {
      const returned = provider().returned?.(decision) ?? {};
      const request = { key, money, reference: REFERENCE, capture: false, returned };
      return resumePayment(connector, contextWith({}), log, request);
    },
    values: (decision: 'approve') => Object.values(provider().returned?.(decision) ?? {}),
    failNext: (...faults: readonly Fault[]) => provider().failNext(...faults),
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

/** Returns the request as recovery sends it. No security code is ever stored. */
const withoutSecurityCode = (requested: ConnectorCall): ConnectorCall =>
  requested.verb === 'authorize' && requested.card
    ? { ...requested, card: { ...requested.card, securityCode: null } }
    : requested;

/** The address to which the provider sends the buyer back. */
const RETURN_URL = 'https://paygraph.example/return/0123456789abcdef0123456789abcdef';

/** The provider's id of the payment. */
const REFERENCE = 'pay_of_the_contract';

function callOf(verb: Verb, money: Money): ConnectorCall {
  const given = { key: randomUUID(), money };
  switch (verb) {
    case 'authorize':
      return {
        verb,
        ...given,
        card: CARD,
        bank: null,
        token: null,
        series: ALONE,
        wallet: null,
        networkToken: null,
        merchantProfile: null,
        approvalPage: null,
        integrationClient: null,
        threeDSecure: null,
        installmentCount: null,
        statementDescriptor: null,
        capture: false,
        returnUrl: null,
        merchantReference: 'order-7',
        buyer: NOBODY,
        ipAddress: null,
        browserInfo: null,
        options: null,
      };
    case 'cancel':
      return { verb, ...given, authorizationKey: randomUUID(), reference: null };
    case 'capture':
      return { verb, ...given, reference: REFERENCE, final: true };
    case 'refund':
      return { verb, ...given, reference: REFERENCE, captures: capturesOf(money) };
    default:
      return { verb, ...given, reference: REFERENCE };
  }
}

/** Two captures that a refund is of. */
const capturesOf = ({ amount }: Money) =>
  [1, amount - 1].map((part) => ({ key: randomUUID(), reference: `cap_${randomUUID()}`, amount: part }));
