import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  explainCandidates,
  findCandidates,
  type CandidateFilter,
} from '../../src/modules/payment-services/index.ts';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});

afterAll(() => harness.stop());

/** The fields of a payment service that matter to routing. */
type Row = {
  readonly definitionId: string;
  readonly method: string;
  readonly position: number;
  readonly active: boolean;
  readonly status: string;
  readonly acceptedCurrencies: string[];
  readonly acceptedCountries: string[];
  readonly deleted: boolean;
  readonly threeDSecureEnabled: boolean;
};

const READY: Row = {
  definitionId: 'mock-card',
  method: 'card',
  position: 1,
  active: true,
  status: 'created',
  acceptedCurrencies: ['USD'],
  acceptedCountries: ['US'],
  deleted: false,
  threeDSecureEnabled: false,
};

const PAYMENT = { method: 'card', currency: 'USD', country: 'US', paymentServiceId: null } as const;

/** Replaces the services of a merchant account. Returns their ids in the order of the rows, which is by age. */
async function store(
  { server: { app }, merchantAccountId }: Harness,
  rows: readonly Row[],
): Promise<string[]> {
  const now = app.clock.now();
  const data = rows.map(({ deleted, ...row }) => ({
    ...row,
    merchantAccountId,
    id: app.ids.uuid(),
    displayName: 'Cards',
    fields: [],
    reportingFields: [],
    webhookToken: app.ids.random(16).toString('hex'),
    deletedAt: deleted ? now : null,
    createdAt: now,
    updatedAt: now,
  }));
  await app.db.prisma.paymentService.deleteMany({ where: { merchantAccountId } });
  await app.db.prisma.paymentService.createMany({ data });
  return data.map(({ id }) => id);
}

const explain = ({ server, merchantAccountId }: Harness, filter: CandidateFilter) =>
  explainCandidates(server.app, merchantAccountId, filter);

/** Lists the reasons against a service, in an independent implementation of the rule. */
function reasonsAgainst(row: Row & { readonly id: string }, filter: CandidateFilter): string[] {
  const { method, currency, country, intent, paymentServiceId, authenticates } = filter;
  const against: readonly (readonly [string, boolean])[] = [
    ['inactive', !row.active],
    ['not_ready', row.status === 'failed'],
    ['method', row.method !== method],
    ['currency', !row.acceptedCurrencies.includes(currency)],
    ['country', country !== null && !row.acceptedCountries.includes(country)],
    ['not_requested', paymentServiceId != null && row.id !== paymentServiceId.toLowerCase()],
    ['unavailable', !['mock-card', 'mockds-card', 'mock-acquirer', 'mock-push'].includes(row.definitionId)],
    ['intent', intent === 'authorize' && row.definitionId === 'mock-push'],
    ['three_d_secure', authenticates === true && !row.threeDSecureEnabled],
  ];
  return against.flatMap(([reason, holds]) => (holds ? [reason] : []));
}

/** Prefers the usual value, so that several services of one merchant account accept. */
const mostly = <Value>(usual: Value, ...others: readonly Value[]) =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

const services = fc.array(
  fc.record<Row>({
    definitionId: mostly('mock-card', 'mockds-card', 'mock-acquirer', 'mock-push', 'gone-card'),
    method: mostly('card', 'ideal'),
    position: fc.integer({ min: -2, max: 2 }),
    active: mostly(true, false),
    status: mostly('created', 'pending', 'active', 'failed'),
    acceptedCurrencies: mostly(['USD', 'EUR'], ['USD'], ['EUR', 'JPY']),
    acceptedCountries: mostly(['US', 'DE'], ['US'], ['DE']),
    deleted: mostly(false, true),
    threeDSecureEnabled: fc.boolean(),
  }),
  { maxLength: 12, size: 'max' },
);

const payments = fc.record({
  method: mostly('card', 'ideal'),
  currency: mostly('USD', 'EUR', 'XXX'),
  country: fc.constantFrom('US', 'DE', null),
  intent: fc.constantFrom('authorize', 'capture', null),
  authenticates: mostly(false, true),
  /** The requested service: none, an existing one or an unknown one. */
  asks: fc.oneof(fc.constant(null), fc.nat(11), fc.constantFrom('nobody', 'no uuid')),
  upperCase: fc.boolean(),
});

test('the explanation of any payment agrees with the selection, and gives every reason and no other', async () => {
  const account = await harness.rival();
  const { app } = account.server;
  let accepted = 0;

  await fc.assert(
    fc.asyncProperty(services, payments, async (rows, { asks, upperCase, ...payment }) => {
      const ids = await store(account, rows);
      const requested =
        typeof asks === 'number' ? (ids[asks] ?? null) : asks === 'nobody' ? app.ids.uuid() : asks;
      const filter = {
        ...payment,
        paymentServiceId: upperCase ? (requested?.toUpperCase() ?? null) : requested,
      };
      const inUse = rows
        .flatMap((row, index) => (row.deleted ? [] : [{ ...row, id: ids[index] ?? '' }]))
        .toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));

      const selected = await findCandidates(app, account.merchantAccountId, filter);
      const explained = await explain(account, filter);

      accepted += selected.length;
      expect(explained.candidates).toEqual(selected.map(({ id, definitionId }) => ({ id, definitionId })));
      expect(explained.candidateCount).toBe(selected.length);
      expect(explained.consideredCount).toBe(inUse.length);
      expect(explained.intentAlone).toBe(
        inUse.some((row) => reasonsAgainst(row, filter).join() === 'intent'),
      );
      expect(
        explained.considered.map(({ paymentServiceId, accepts, reasons }) => ({
          paymentServiceId,
          accepts,
          reasons: reasons.map(({ code }) => code),
        })),
      ).toEqual(
        inUse.map((row) => {
          const reasons = reasonsAgainst(row, filter);
          return { paymentServiceId: row.id, accepts: reasons.length === 0, reasons };
        }),
      );
    }),
    // A fixed seed, so that the count below is the same in every run.
    { numRuns: 150, seed: 20_261_123 },
  );
  expect(accepted).toBeGreaterThan(50);
});

describe('of many payment services', () => {
  const MANY = 203;
  const at = (ids: readonly string[], index: number): string => ids[index] ?? '';

  test('the first 200 are listed, and all are counted', async () => {
    const account = await harness.rival();
    const ids = await store(
      account,
      Array.from({ length: MANY }, (_, position) => ({ ...READY, position })),
    );

    const { candidates, candidateCount, considered, consideredCount } = await explain(account, PAYMENT);

    expect(candidates.map(({ id }) => id)).toEqual(ids.slice(0, 200));
    expect(considered.map(({ paymentServiceId }) => paymentServiceId)).toEqual(ids.slice(0, 200));
    expect([candidateCount, consideredCount]).toEqual([MANY, MANY]);
  });

  test('an accepting service is a candidate although 200 others come first', async () => {
    const account = await harness.rival();
    const ids = await store(
      account,
      Array.from({ length: MANY }, (_, position) => ({ ...READY, position, active: position === MANY - 1 })),
    );

    const { candidates, candidateCount, considered, consideredCount } = await explain(account, PAYMENT);

    expect(candidates).toEqual([{ id: at(ids, MANY - 1), definitionId: 'mock-card' }]);
    expect(considered).toHaveLength(200);
    expect(considered.some(({ accepts }) => accepts)).toBe(false);
    expect([candidateCount, consideredCount]).toEqual([1, MANY]);
  });

  test('a requested service is listed although 200 others come first', async () => {
    const account = await harness.rival();
    const ids = await store(
      account,
      Array.from({ length: MANY }, (_, position) => ({ ...READY, position, active: position !== MANY - 1 })),
    );
    const requested = at(ids, MANY - 1);

    const { candidates, considered } = await explain(account, { ...PAYMENT, paymentServiceId: requested });

    expect(candidates).toEqual([]);
    expect(considered.map(({ paymentServiceId }) => paymentServiceId)).toEqual([
      ...ids.slice(0, 200),
      requested,
    ]);
    expect(considered.at(-1)?.reasons).toEqual([
      { code: 'inactive', message: 'The payment service is inactive.' },
    ]);
  });
});

test('in production, a definition for the sandbox only is unavailable', async () => {
  const account = await harness.rival();
  const { app } = account.server;
  const [id] = await store(account, [READY]);
  const production = { ...app, config: { ...app.config, production: true } };

  const explained = await explainCandidates(production, account.merchantAccountId, PAYMENT);

  expect(explained).toMatchObject({
    candidates: [],
    considered: [{ paymentServiceId: id, accepts: false, reasons: [{ code: 'unavailable' }] }],
  });
});
