import { pino } from 'pino';
import { callAntiFraud, callReport } from '../../src/connectors/anti-fraud/call.ts';
import type { CheckRequest } from '../../src/connectors/anti-fraud/check-request.ts';
import type {
  AntiFraudConnector,
  AntiFraudDefinition,
  CheckContext,
} from '../../src/connectors/anti-fraud/connector.ts';
import { readReviewWebhook } from '../../src/connectors/anti-fraud/read-webhook.ts';
import type { ReportRequest } from '../../src/connectors/anti-fraud/report.ts';
import type { Credentials } from '../../src/connectors/interface/call-context.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../src/platform/http/http-client.ts';
import { BARE_CHECK, captureReportOf, CHECKED_CARD } from '../support/check-request.ts';
import type { DoubleWebhook } from './double-server.ts';
import { afterAll, beforeAll, describe, expect, it } from './runner.ts';

/** The fault of the next check or report, whatever the number of its tries: no answer reaches the connector. */
export type CheckTrouble = 'server_error' | 'lost' | 'unreadable' | 'hang';

/** A fake third party. */
export type AntiFraudProvider = {
  readonly credentials: Credentials;
  /** Returns a buyer whom the third party judges so. */
  buyer(decision: Judgement): CheckRequest['buyer'];
  failNext(trouble: CheckTrouble): void;
  /** Every key that a request named, in order. */
  keys(): readonly string[];
  /** Every request as the third party received it, in order. */
  requests(): readonly string[];
  /** A signed webhook that ends the review of a check. */
  ended(key: string, decision: 'accept' | 'reject'): DoubleWebhook;
  /** Lets hanging answers go on. */
  release(): void;
  close(): Promise<void>;
};

export type Judgement = 'accept' | 'reject' | 'review';

/** The test data of one connector. */
export type AntiFraudSubject = {
  readonly connector: AntiFraudConnector;
  /** Starts the fake, which the credentials name, or which the connector calls. */
  readonly start: () => Promise<AntiFraudProvider>;
};

const CAUSES = { server_error: 'server_error', lost: 'connection', unreadable: 'unreadable' } as const;
const LOG = pino({ level: 'silent' });
const LONG_MS = 30_000;
const SHORT_MS = 400;

/** Defines the tests that hold for every third party that judges payments, in every version of its interface. */
export function describeAntiFraudContract({ connector, start }: AntiFraudSubject): void {
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  let provider: AntiFraudProvider;
  beforeAll(async () => {
    provider = await start();
  });
  afterAll(async () => {
    http.close();
    await provider.close();
  });

  for (const definition of connector.definitions)
    for (const interfaceVersion of versionsOf(definition))
      describe(`${definition.id} in version ${interfaceVersion}`, () => {
        const contextFor = (deadlineMs: number): CheckContext => ({
          ...{ definition, interfaceVersion, http, deadlineMs, credentials: provider.credentials },
          now: new Date('2026-11-22T09:00:01Z'),
        });
        const check = (request: CheckRequest, deadlineMs = LONG_MS) =>
          callAntiFraud(connector, contextFor(deadlineMs), LOG, request);
        const report = (request: ReportRequest, deadlineMs = LONG_MS) =>
          callReport(connector, contextFor(deadlineMs), LOG, request);
        describeChecks({ check, at: () => provider });
        if (connector.report) describeReports({ check, report, at: () => provider });
        describeEnds({ connector, definition, at: () => provider });
      });
}

const versionsOf = ({ interfaceVersion, newerInterfaceVersion }: AntiFraudDefinition): readonly string[] =>
  newerInterfaceVersion === null ? [interfaceVersion] : [interfaceVersion, newerInterfaceVersion];

/** Returns a check under a key of its own. */
function checkBy(buyer: CheckRequest['buyer']): CheckRequest {
  return { ...BARE_CHECK, key: crypto.randomUUID(), buyer, card: CHECKED_CARD };
}

type Checks = {
  readonly check: (request: CheckRequest, deadlineMs?: number) => ReturnType<typeof callAntiFraud>;
  readonly at: () => AntiFraudProvider;
};

function describeChecks({ check, at }: Checks): void {
  it.each(['accept', 'reject', 'review'] as const)('a check is answered with %s', async (decision) => {
    const request = checkBy(at().buyer(decision));

    const checked = await check(request);

    expect(checked).toMatchObject({ decision, cause: null });
    expect(checked.reference).toMatch(/./);
    expect(at().keys().at(-1)).toBe(request.key);
  });

  it('a repeat names the same check, and has the same answer', async () => {
    const request = checkBy(at().buyer('reject'));

    const [first, again] = [await check(request), await check(request)];

    expect(again).toEqual(first);
    expect(at().keys().slice(-2)).toEqual([request.key, request.key]);
  });

  it.each(Object.keys(CAUSES) as (keyof typeof CAUSES)[])(
    'a check has no decision after %s',
    async (trouble) => {
      const request = checkBy(at().buyer('reject'));
      at().failNext(trouble);

      const failed = await check(request);

      expect(failed).toMatchObject({ decision: 'error', cause: CAUSES[trouble], reference: null });
      expect(await check(request)).toMatchObject({ decision: 'reject', cause: null });
    },
  );

  it('a check has no decision without an answer in time', async () => {
    const request = checkBy(at().buyer('reject'));
    at().failNext('hang');

    expect(await check(request, SHORT_MS)).toMatchObject({ decision: 'error', cause: 'timeout' });
    at().release();
  });

  it('a check of a payment without facts is answered', async () => {
    const { cause } = await check({ ...BARE_CHECK, key: crypto.randomUUID() });

    expect(cause).toBeNull();
  });

  it('no request has a secret in its body', async () => {
    await check(checkBy(at().buyer('accept')));

    const { credentials } = at();
    const secrets = Object.entries(credentials).filter(([name]) => /key|secret/.test(name));
    expect(secrets.length).toBeGreaterThan(0);
    for (const [, secret] of secrets) expect(at().requests().at(-1)).not.toContain(secret);
  });
}

type Reports = Checks & {
  readonly report: (request: ReportRequest, deadlineMs?: number) => ReturnType<typeof callReport>;
};

function describeReports({ check, report, at }: Reports): void {
  const checked = async () => {
    const request = checkBy(at().buyer('accept'));
    await check(request);
    return request;
  };

  it('a report of a checked payment is taken, and again under its key', async () => {
    const request = captureReportOf(await checked());

    expect([await report(request), await report(request)]).toEqual([{ kind: 'done' }, { kind: 'done' }]);
  });

  it('a report of a payment that was not checked is not unknown for ever', async () => {
    const { kind } = await report(captureReportOf({ key: crypto.randomUUID() }));

    expect(['done', 'refused']).toContain(kind);
  });

  it.each(['server_error', 'lost'] as const)('a report is unknown after %s', async (trouble) => {
    const request = captureReportOf(await checked());
    at().failNext(trouble);

    expect(await report(request)).toMatchObject({ kind: 'unknown', cause: CAUSES[trouble] });
    expect(await report(request)).toEqual({ kind: 'done' });
  });

  it('a report is not refused by an unreadable answer', async () => {
    const request = captureReportOf(await checked());
    at().failNext('unreadable');

    expect(['done', 'unknown']).toContain((await report(request)).kind);
  });

  it('a report is unknown without an answer in time', async () => {
    const request = captureReportOf(await checked());
    at().failNext('hang');

    expect(await report(request, SHORT_MS)).toMatchObject({ kind: 'unknown', cause: 'timeout' });
    at().release();
  });
}

type Ends = {
  readonly connector: AntiFraudConnector;
  readonly definition: AntiFraudDefinition;
  readonly at: () => AntiFraudProvider;
};

function describeEnds({ connector, definition, at }: Ends): void {
  const { key } = BARE_CHECK;
  const read = ({ headers, body }: DoubleWebhook, others: Credentials = {}) =>
    readReviewWebhook(
      connector,
      {
        ...{ headers, definition, environment: 'production', rawBody: Buffer.from(body) },
        credentials: { ...at().credentials, ...others },
        now: new Date('2026-11-22T09:00:00Z'),
      },
      LOG,
    );

  it.each(['accept', 'reject'] as const)('the end of a review is read as %s, and alike twice', (decision) => {
    const webhook = at().ended(key, decision);

    const [first, again] = [read(webhook), read(webhook)];

    expect(first).toMatchObject({ ok: true, value: [{ key, decision }] });
    expect(again).toEqual(first);
  });

  it('another decision is another event', () => {
    const [accepted, rejected] = [read(at().ended(key, 'accept')), read(at().ended(key, 'reject'))];

    if (!accepted.ok || !rejected.ok) throw new Error('A webhook was refused.');
    expect(accepted.value[0]?.eventKey).not.toBe(rejected.value[0]?.eventKey);
  });

  it('the end of a review is refused with a changed body, and with the secrets of another service', () => {
    const webhook = at().ended(key, 'reject');
    const changed = { ...webhook, body: webhook.body.replace(key, crypto.randomUUID()) };
    const others = Object.fromEntries(
      Object.keys(at().credentials)
        .filter((name) => /key|secret/.test(name))
        .map((name) => [name, 'the secret of somebody else']),
    );

    for (const refused of [read(changed), read(webhook, others), read({ ...webhook, headers: {} })])
      expect(refused).toMatchObject({ ok: false, refusals: ['bad_signature'] });
  });
}
