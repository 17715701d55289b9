import { pino } from 'pino';
import type { AccessTokens } from '../../src/connectors/interface/access-tokens.ts';
import type { Credentials } from '../../src/connectors/interface/call-context.ts';
import { respondToDispute, type DisputeCall } from '../../src/connectors/calls/call-dispute.ts';
import type { Connector } from '../../src/connectors/interface/connector.ts';
import type { Definition } from '../../src/connectors/interface/definition.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../src/platform/http/http-client.ts';
import type { HttpSender } from '../../src/platform/http/reply.ts';
import { noTokens } from '../support/no-tokens.ts';
import { UNKNOWN_AFTER } from './contract-faults.ts';
import type { Fault } from './contract-provider.ts';
import { afterAll, beforeAll, describe, expect, it } from './runner.ts';

/** A fake provider that takes responses to disputes. */
export type DisputeProvider = {
  readonly credentials: Credentials;
  /** The store of access tokens. Absent for a provider without OAuth. */
  readonly accessTokens?: AccessTokens;
  /** Returns the provider's id of a new dispute that takes a response, or of one that takes none. */
  dispute(state: 'open' | 'closed'): Promise<string>;
  readonly failNext: (...faults: readonly Fault[]) => void;
  /** Sends the requests for the provider's hosts to the fake. Absent if the credentials name the address of the fake. */
  via?(http: HttpSender): HttpSender;
  /** The keys of the received responses, in order. Absent if the provider keeps no keys. */
  keys?(): readonly string[];
  release(): void;
  close(): Promise<void>;
};

/** The test data of one connector. */
export type DisputeSubject = {
  readonly connector: Connector;
  /** The faults that the fake can make. */
  readonly faults: readonly Fault[];
  readonly start: () => Promise<DisputeProvider>;
};

const EVIDENCE = {
  texts: [{ kind: 'other', text: 'The buyer was there.' }],
  files: [{ kind: 'receipt', name: 'receipt.pdf', format: 'pdf', content: 'JVBERi0xLjcK' }],
} as const;

const LOG = pino({ level: 'silent' });

/** Defines the tests that hold for every connector that responds to disputes. Its definitions respond alike. */
export function describeDisputeContract(subject: DisputeSubject): void {
  const { connector } = subject;
  const firstWith = (feature: 'dispute_evidence' | 'dispute_acceptance'): Definition | undefined =>
    connector.definitions.find(({ supportedFeatures }) => supportedFeatures[feature]);

  describe(`disputes of ${connector.id}`, () => {
    it.each(connector.definitions.map((definition) => [definition.id, definition] as const))(
      'have a verb for each feature of %s',
      (_, { supportedFeatures: { dispute_evidence: evidence, dispute_acceptance: acceptance } }) => {
        if (evidence) expect(connector.disputes?.submitEvidence).toBeInstanceOf(Function);
        if (acceptance) expect(connector.disputes?.accept).toBeInstanceOf(Function);
      },
    );

    const [defended, accepted] = [firstWith('dispute_evidence'), firstWith('dispute_acceptance')];
    if (defended) describe('evidence', () => describeResponse(subject, defended, EVIDENCE));
    if (accepted) describe('an acceptance', () => describeResponse(subject, accepted, null));
  });
}

function describeResponse(
  { connector, faults, start }: DisputeSubject,
  definition: Definition,
  evidence: DisputeCall['evidence'],
): void {
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  let provider: DisputeProvider;
  beforeAll(async () => {
    provider = await start();
  });
  afterAll(async () => {
    http.close();
    await provider.close();
  });

  const call = (key: string, disputeReference: string, deadlineMs = 60_000) =>
    respondToDispute(
      connector,
      {
        ...{ definition, credentials: provider.credentials, environment: 'sandbox', deadlineMs },
        http: provider.via?.(http) ?? http,
        accessTokens: provider.accessTokens ?? noTokens(),
      },
      LOG,
      { key, disputeReference, stage: 'chargeback', paymentReference: 'pay_1', evidence },
    );

  it('is done once the provider has it, and the same again under its key', async () => {
    const dispute = await provider.dispute('open');

    expect(await call('key-1', dispute)).toEqual({ kind: 'done' });
    expect(await call('key-1', dispute)).toEqual({ kind: 'done' });
    if (provider.keys) expect(provider.keys().slice(-2)).toEqual(['key-1', 'key-1']);
  });

  it("is refused by the provider's explicit no alone", async () => {
    expect(await call('key-2', await provider.dispute('closed'))).toEqual({
      kind: 'refused',
      errorCode: expect.stringMatching(/./),
    });
  });

  it.each(UNKNOWN_AFTER.map(([fault]) => fault).filter((fault) => faults.includes(fault)))(
    'is unknown after the fault %s, and done by a repeat',
    async (fault) => {
      const dispute = await provider.dispute('open');
      provider.failNext(fault);

      expect(await call(`key-${fault}`, dispute)).toMatchObject({ kind: 'unknown' });
      expect(await call(`key-${fault}`, dispute)).toEqual({ kind: 'done' });
    },
  );

  it('is unknown when the provider does not answer in time', async () => {
    const dispute = await provider.dispute('open');
    provider.failNext('hang');

    expect(await call('key-4', dispute, 150)).toMatchObject({ kind: 'unknown' });
    provider.release();
  });
}
