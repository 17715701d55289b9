import { pino } from 'pino';
import type { AccessTokens } from '../../src/connectors/interface/access-tokens.ts';
import type { Credentials } from '../../src/connectors/interface/call-context.ts';
import { fetchSettlements } from '../../src/connectors/calls/call-settlements.ts';
import type { Connector } from '../../src/connectors/interface/connector.ts';
import type { Definition } from '../../src/connectors/interface/definition.ts';
import type {
  SettlementEntry,
  SettlementAnswer,
  SettlementPage,
} from '../../src/connectors/notices/settlements.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../src/platform/http/http-client.ts';
import type { HttpSender } from '../../src/platform/http/reply.ts';
import { noTokens } from '../support/no-tokens.ts';
import { UNKNOWN_AFTER } from './contract-faults.ts';
import type { Fault } from './contract-provider.ts';
import { afterAll, beforeAll, describe, expect, it } from './runner.ts';

/** A fake provider that has settled, by a clock of its own. */
export type SettlementProvider = {
  readonly credentials: Credentials;
  /** The store of access tokens. Absent for a provider without OAuth. */
  readonly accessTokens?: AccessTokens;
  /** Sends the requests for the provider's hosts to the fake. Absent if the credentials name the address of the fake. */
  via?(http: HttpSender): HttpSender;
  /** The first moment to fetch, and the current one. Absent for the whole past and the real time. */
  readonly since?: Date;
  now?(): Date;
  /** Makes that many captures, and settles them. They fill more than one page. */
  settle(captures: number): Promise<void>;
  readonly failNext: (...faults: readonly Fault[]) => void;
  refuseNext(): void;
  release(): void;
  close(): Promise<void>;
};

/** A fake provider with further abilities. */
export type AbleProvider = SettlementProvider & {
  /** Gives a page of two entries next. The second one has an amount that is no whole number, or no day. */
  spoilNext(spoiling: 'amount' | 'day'): void;
  /** Settles a capture in another currency, and names the amount before the conversion. Returns that amount. */
  convert(): Promise<{ readonly amount: number; readonly currency: string }>;
};

/** The test data of one connector. `captures`: enough for three pages. */
export type SettlementSubject<Provider extends SettlementProvider = SettlementProvider> = {
  readonly connector: Connector;
  readonly captures: number;
  /** True if the pages of the fake overlap. */
  readonly overlaps: boolean;
  /** The faults that the fake can make. */
  readonly faults: readonly Fault[];
  readonly start: () => Promise<Provider>;
};

const LOG = pino({ level: 'silent' });

type Desk<Provider> = {
  /** The started fake. */
  readonly provider: () => Provider;
  /** Fetches one page from a place. */
  readonly fetch: (cursor: string | null, deadlineMs?: number) => Promise<SettlementAnswer>;
  /** Fetches from a place to the end. */
  readonly pages: (cursor?: string | null) => Promise<readonly SettlementPage[]>;
};

/** Defines the tests that hold for every connector that reports settlements. All its definitions have the same reports. */
export function describeSettlementContract(subject: SettlementSubject): void {
  describe(`settlements of ${subject.connector.id}`, () => describePages(subject, openDesk(subject)));
}

/** Defines the tests of `describeSettlementContract`, and those of a fake with further abilities. */
export function describeAbleSettlementContract(subject: SettlementSubject<AbleProvider>): void {
  describe(`settlements of ${subject.connector.id}`, () => {
    const desk = openDesk(subject);
    describePages(subject, desk);
    describeAbilities(desk);
  });
}

/** Starts the fake before the tests, and closes it after them. */
function openDesk<Provider extends SettlementProvider>({
  connector,
  captures,
  start,
}: SettlementSubject<Provider>): Desk<Provider> {
  const definition = definitionOf(connector);
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  let provider: Provider;
  beforeAll(async () => {
    provider = await start();
    await provider.settle(captures);
  });
  afterAll(async () => {
    http.close();
    await provider.close();
  });

  const fetch = (cursor: string | null, deadlineMs = 60_000) =>
    fetchSettlements(
      connector,
      {
        ...{ definition, credentials: provider.credentials, environment: 'sandbox', deadlineMs },
        http: provider.via?.(http) ?? http,
        accessTokens: provider.accessTokens ?? noTokens(),
      },
      LOG,
      {
        ...{ cursor, since: provider.since ?? new Date(0), now: provider.now?.() ?? new Date() },
        booked: () => Promise.resolve([]),
      },
    );

  const pages = async (cursor: string | null = null): Promise<readonly SettlementPage[]> => {
    const first = asPage(await fetch(cursor));
    return first.more ? [first, ...(await pages(first.cursor))] : [first];
  };
  return { provider: () => provider, fetch, pages };
}

function definitionOf({ id, definitions }: Connector): Definition {
  const found = definitions.find(({ supportedFeatures }) => supportedFeatures.settlement_reporting);
  if (!found) throw new Error(`${id} reports no settlements`);
  return found;
}

function asPage(answer: SettlementAnswer): SettlementPage {
  if (answer.kind !== 'page') throw new Error(`No page: ${answer.kind}`);
  return answer;
}

function describePages(
  { captures, overlaps, faults }: Pick<SettlementSubject, 'captures' | 'overlaps' | 'faults'>,
  { provider, fetch, pages }: Desk<SettlementProvider>,
): void {
  it('settlement pages that overlap name every entry, and a repeated entry is the same', async () => {
    const all = await pages();
    expect(all.length).toBeGreaterThanOrEqual(3);
    const byId = new Map<string, SettlementEntry>();
    const entries = all.flatMap((each) => each.entries);
    for (const entry of entries) {
      const before = byId.get(entry.reference) ?? entry;
      // Only the payout may be named later.
      expect({ ...before, payoutReference: before.payoutReference ?? entry.payoutReference }).toEqual(entry);
      byId.set(entry.reference, entry);
    }
    expect(entries.length > byId.size).toBe(overlaps);
    const charges = [...byId.values()].filter(({ kind }) => kind === 'charge');
    expect(charges).toHaveLength(captures);
    for (const { gross, fee, net } of byId.values()) expect(gross - fee).toBe(net);
  });

  it('go on from any page, also a second time and after others', async () => {
    const all = await pages();
    const again = asPage(await fetch(all[0]?.cursor ?? null));
    expect(again).toEqual(all[1]);
    expect(await pages(again.cursor)).toEqual(all.slice(2));
  });

  it('have nothing new at the end, whose cursor finds later entries', async () => {
    const before = await pages();
    const end = before.at(-1)?.cursor ?? null;
    const known = new Set(before.flatMap(({ entries }) => entries.map(({ reference }) => reference)));
    const isNew = ({ reference }: SettlementEntry): boolean => !known.has(reference);
    expect(asPage(await fetch(end)).entries.filter(isNew)).toEqual([]);

    await provider().settle(1);

    const later = (await pages(end)).flatMap(({ entries }) => entries.filter(isNew));
    expect(later.filter(({ kind }) => kind === 'charge')).toHaveLength(1);
  });

  it("are refused by the provider's explicit no alone", async () => {
    provider().refuseNext();
    expect(await fetch(null)).toEqual({ kind: 'refused', reason: expect.stringMatching(/./) });
  });

  it.each(UNKNOWN_AFTER.map(([fault]) => fault).filter((fault) => faults.includes(fault)))(
    'are unknown after the fault %s',
    async (fault) => {
      provider().failNext(fault);
      expect(await fetch(null)).toMatchObject({ kind: 'unknown' });
    },
  );

  it('are unknown when the provider does not answer in time', async () => {
    provider().failNext('hang');
    expect(await fetch(null, 150)).toMatchObject({ kind: 'unknown', cause: 'timeout' });
    provider().release();
  });
}

function describeAbilities({ provider, fetch, pages }: Desk<AbleProvider>): void {
  it('name the money before a conversion', async () => {
    const original = await provider().convert();
    const entries = (await pages()).flatMap((each) => each.entries);
    const converted = entries.find((entry) => entry.original?.amount === original.amount);
    expect(converted?.original).toEqual(original);
    expect(converted?.currency).not.toBe(original.currency);
    expect(converted?.exchangeRate).toMatch(/^\d+(\.\d+)?$/);
  });

  it.each(['amount', 'day'] as const)(
    'keep the other entries of a page with a spoiled %s',
    async (spoiling) => {
      provider().spoilNext(spoiling);
      const { entries } = asPage(await fetch(null));
      expect(entries.map(({ kind }) => kind)).toEqual([expect.not.stringMatching(/^un/), 'unreadable']);
      expect(entries[1]).toMatchObject({
        ...{ reference: expect.stringMatching(/./), gross: 0, fee: 0, net: 0, currency: 'XXX' },
        settledOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      });
    },
  );
}
