import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconciliationIdOf } from '../../src/kernel/reconciliation-id.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { list, type ListArguments } from './lists.ts';
import {
  idOf,
  insertRow,
  insertRows,
  insertServices,
  insertStored,
  minute,
  serviceOf,
  type Row,
} from './rows.ts';

let server: TestServer;
let rival: { id: string; token: string };

/** A stored buyer and a stored payment method, with the same ids in every account. */
const BUYER = '00000000-0000-7000-9000-00000000b001';
const METHOD = '00000000-0000-7000-9000-00000000c001';

/** One row for each name, in order of creation. Every other account has the same rows. */
const ROWS = {
  plain: {},
  processing: { status: 'processing' },
  captured: { status: 'capture_succeeded', authorizedAmount: 1000, capturedAmount: 1000 },
  refunded: {
    status: 'capture_succeeded',
    authorizedAmount: 1000,
    capturedAmount: 1000,
    refundedAmount: 300,
  },
  small: { amount: 1 },
  large: { amount: 99_999_999 },
  euro: { currency: 'EUR' },
  german: { country: 'DE' },
  anywhere: { country: null },
  ideal: {
    method: 'ideal',
    cardScheme: null,
    cardBin: null,
    cardLastFour: null,
    cardExpirationDate: null,
    cardFingerprint: null,
  },
  amex: {
    cardCountry: 'FR',
    cardScheme: 'amex',
    cardBin: '37144963',
    cardLastFour: '8431',
    cardFingerprint: 'Amex',
  },
  declined: { status: 'authorization_declined', errorCode: 'insufficient_funds' },
  expired: { status: 'authorization_declined', errorCode: 'expired_card' },
  moto: { cardCountry: 'GB', paymentSource: 'moto' },
  merchants: { paymentSource: 'recurring', merchantInitiated: true, isSubsequentPayment: true },
  second: { paymentSource: 'recurring', isSubsequentPayment: true },
  gift: { giftCardAmount: 400 },
  disputed: { disputed: true },
  challenged: { threeDSecure: { source: 'scenario', status: null } },
  external: { threeDSecure: { source: 'external', status: 'complete' } },
  nobody: { threeDSecure: { source: 'none', status: 'error' } },
  tagged: { metadata: { cart: '42', channel: 'web', 'a b': 'x=y' } },
  retagged: { metadata: { cart: '43', channel: 'web' } },
  long: { metadata: { note: 'z'.repeat(500) }, externalIdentifier: 'L'.repeat(200) },
  longer: { metadata: { note: `${'z'.repeat(499)}!` }, externalIdentifier: `${'L'.repeat(199)}M` },
  ordered: { externalIdentifier: 'Order 12-A', paymentServiceTransactionId: 'psp_AbC_1' },
  lower: { externalIdentifier: 'order 12-a', paymentServiceTransactionId: 'psp_abc_1' },
  jane: {
    buyer: {
      displayName: 'Jane  van Doe',
      externalIdentifier: 'Cust-7',
      billingDetails: { firstName: 'Jane', lastName: 'Doe', emailAddress: 'Jane.Doe@Example.com' },
    },
  },
  oe: { buyer: { displayName: 'Ærlig Øst', externalIdentifier: null, billingDetails: null } },
  stored: { buyerId: BUYER, paymentMethodId: METHOD },
  joe: { buyer: { displayName: null, externalIdentifier: '8431', billingDetails: { firstName: 'Jo' } } },
} as const satisfies Record<string, Row>;

type Name = keyof typeof ROWS;
const NAMES = Object.keys(ROWS) as Name[];
const number = (name: Name): number => NAMES.indexOf(name);

/** Returns the moment of change, in another order than that of creation. */
const changed = (index: number): Date => minute(100 + ((index * 7) % NAMES.length));

beforeAll(async () => {
  server = await startTestServer();
  rival = await server.createMerchantAccount();
  for (const account of [server.merchantAccountId, rival.id]) {
    await insertServices(server, account, 2);
    await insertStored(server, account, { buyerId: BUYER, paymentMethodId: METHOD });
    const rows = NAMES.map((name, index) => {
      const paymentServiceId = serviceOf(account, name === 'moto' ? 1 : 0);
      return { number: index, paymentServiceId, updatedAt: changed(index), ...ROWS[name] };
    });
    await insertRows(server, account, rows);
  }
});
afterAll(() => server.stop());

const named = (id: string): string => {
  const name = NAMES.find((each) => idOf(server.merchantAccountId, number(each)) === id);
  return name ?? `foreign ${id}`;
};
const names = async (args: ListArguments): Promise<readonly string[]> =>
  (await list(server, { first: 100, ...args })).nodes.map(({ id }) => named(id));
const ours = (name: Name): string => idOf(server.merchantAccountId, number(name));

const except = (...left: Name[]): Name[] => NAMES.filter((name) => !left.includes(name));

/** The matches of each filter, oldest first. */
const FILTERS: readonly [what: string, filter: () => object, found: readonly Name[]][] = [
  ['nothing', () => ({}), NAMES],
  ['null', () => ({ status: null, amountGte: null, metadata: null, search: null, id: null }), NAMES],
  ['id', () => ({ id: ours('jane').toUpperCase() }), ['jane']],
  ['an id of another account', () => ({ id: idOf(rival.id, 3) }), []],
  ['reconciliation id', () => ({ reconciliationId: reconciliationIdOf(ours('jane')) }), ['jane']],
  ['status', () => ({ status: ['PROCESSING'] }), ['processing']],
  [
    'statuses',
    () => ({ status: ['PROCESSING', 'CAPTURE_SUCCEEDED'] }),
    ['processing', 'captured', 'refunded'],
  ],
  ['a status that none has', () => ({ status: ['AUTHORIZATION_VOIDED'] }), []],
  ['amount', () => ({ amountEq: 1 }), ['small']],
  ['least amount', () => ({ amountGte: 1001 }), ['large']],
  ['most amount', () => ({ amountLte: 1 }), ['small']],
  ['range of amounts', () => ({ amountGte: 2, amountLte: 1000 }), except('small', 'large')],
  ['currency', () => ({ currency: ['EUR'] }), ['euro']],
  ['currencies', () => ({ currency: ['EUR', 'USD'] }), NAMES],
  ['country', () => ({ country: ['DE'] }), ['german']],
  ['countries', () => ({ country: ['DE', 'US'] }), except('anywhere')],
  ['created since', () => ({ createdAtGte: minute(NAMES.length - 2) }), ['stored', 'joe']],
  ['created until', () => ({ createdAtLte: minute(1) }), ['plain', 'processing']],
  [
    'changed since',
    () => ({ updatedAtGte: minute(123) }),
    NAMES.filter((_, index) => changed(index) >= minute(123)),
  ],
  ['changed until', () => ({ updatedAtLte: minute(100) }), ['plain']],
  ['method', () => ({ method: ['ideal'] }), ['ideal']],
  ['methods', () => ({ method: ['ideal', 'card', 'klarna'] }), NAMES],
  ['service', () => ({ paymentServiceId: [serviceOf(server.merchantAccountId, 1)] }), ['moto']],
  [
    'services',
    () => ({ paymentServiceId: [0, 1].map((each) => serviceOf(server.merchantAccountId, each)) }),
    NAMES,
  ],
  ['a service of another account', () => ({ paymentServiceId: [serviceOf(rival.id, 0)] }), []],
  ['provider id', () => ({ paymentServiceTransactionId: 'psp_AbC_1' }), ['ordered']],
  ['external identifier', () => ({ externalIdentifier: 'Order 12-A' }), ['ordered']],
  ['stored buyer', () => ({ buyerId: BUYER.toUpperCase() }), ['stored']],
  ['a buyer whom there is not', () => ({ buyerId: METHOD }), []],
  ['stored payment method', () => ({ paymentMethodId: METHOD }), ['stored']],
  ['a payment method that there is not', () => ({ paymentMethodId: BUYER }), []],
  ['the beginning of an external identifier', () => ({ externalIdentifier: 'Order' }), []],
  ['a long external identifier', () => ({ externalIdentifier: 'L'.repeat(200) }), ['long']],
  ["buyer's external identifier", () => ({ buyerExternalIdentifier: 'Cust-7' }), ['jane']],
  ['it in another case', () => ({ buyerExternalIdentifier: 'cust-7' }), []],
  ["buyer's e-mail", () => ({ buyerEmailAddress: 'jane.DOE@example.com' }), ['jane']],
  ['scheme', () => ({ cardScheme: ['amex'] }), ['amex']],
  ['schemes', () => ({ cardScheme: ['amex', 'visa'] }), except('ideal')],
  ['fingerprint', () => ({ cardFingerprint: 'Amex' }), ['amex']],
  ['fingerprint in another case', () => ({ cardFingerprint: 'amex' }), []],
  ['first digits', () => ({ cardBin: '37144963' }), ['amex']],
  ['last digits', () => ({ cardLastFour: '8431' }), ['amex']],
  ['error', () => ({ errorCode: ['expired_card'] }), ['expired']],
  ['errors', () => ({ errorCode: ['expired_card', 'insufficient_funds'] }), ['declined', 'expired']],
  ['refunds', () => ({ hasRefunds: true }), ['refunded']],
  ['no refunds', () => ({ hasRefunds: false }), except('refunded')],
  ['disputes', () => ({ disputed: true }), ['disputed']],
  ['no disputes', () => ({ disputed: false }), except('disputed')],
  ['gift cards', () => ({ hasGiftCardRedemptions: true }), ['gift']],
  ['no gift cards', () => ({ hasGiftCardRedemptions: false }), except('gift')],
  ['3-D Secure', () => ({ hasThreeDSecure: true }), ['challenged', 'external']],
  ['no 3-D Secure', () => ({ hasThreeDSecure: false }), except('challenged', 'external')],
  ['source', () => ({ paymentSource: ['MOTO'] }), ['moto']],
  ['sources', () => ({ paymentSource: ['MOTO', 'RECURRING'] }), ['moto', 'merchants', 'second']],
  ["the merchant's own", () => ({ merchantInitiated: true }), ['merchants']],
  ['following ones', () => ({ isSubsequentPayment: true }), ['merchants', 'second']],
  ["the buyers' first ones", () => ({ isSubsequentPayment: false }), except('merchants', 'second')],
  ['a pair of metadata', () => ({ metadata: { channel: 'web' } }), ['tagged', 'retagged']],
  ['pairs of metadata', () => ({ metadata: { channel: 'web', cart: '42' } }), ['tagged']],
  ['a pair with signs', () => ({ metadata: { 'a b': 'x=y' } }), ['tagged']],
  ['a pair cut elsewhere', () => ({ metadata: { 'a b=x': 'y' } }), []],
  ['a long pair', () => ({ metadata: { note: 'z'.repeat(500) } }), ['long']],
  ['two filters', () => ({ paymentSource: ['RECURRING'], merchantInitiated: false }), ['second']],
  [
    'filters by terms',
    () => ({ metadata: { channel: 'web' }, cardLastFour: '1111', search: '1111' }),
    ['tagged', 'retagged'],
  ],
  ['filters that exclude each other', () => ({ cardLastFour: '8431', externalIdentifier: 'Order 12-A' }), []],
];

/** The matches of a search, oldest first. A row's name in angle brackets stands for its id. */
const SEARCHES: readonly [phrase: string, found: readonly Name[]][] = [
  ['order', ['ordered', 'lower']],
  ['ORDER 12-A', ['ordered', 'lower']],
  ['  12-a\t', ['ordered', 'lower']],
  ['rder', []],
  ['psp_Ab', ['ordered']],
  ['psp_abc_1', ['lower']],
  ['jane doe', ['jane']],
  ['doe cust-7 VAN 1111', ['jane']],
  ['doe order', []],
  ['jane.doe@EX', ['jane']],
  ['example.com', ['jane']],
  ['doe@example', ['jane']],
  ['xample.com', []],
  ['7', ['jane']],
  ['a', ['ordered', 'lower']],
  ['ærlig øst', ['oe']],
  ['jo', ['joe']],
  ['ja', []],
  ['8431', ['amex', 'joe']],
  ['LLL', ['long', 'longer']],
  ['L'.repeat(200), ['long']],
  ['<jane>', ['jane']],
  ['<jane reconciled>', ['jane']],
  ['<jane> doe', ['jane']],
  ['<jane> order', []],
  ['<foreign>', []],
  ['visa', []],
  ['41111111', []],
  ['Amex', []],
  ["%' OR 1=1 --", []],
  ['%', []],
];

const phraseOf = (text: string): string =>
  text
    .replace('<jane>', ours('jane'))
    .replace('<jane reconciled>', reconciliationIdOf(ours('jane')))
    .replace('<foreign>', idOf(rival.id, 1));

const SORTS: readonly [sort: string, key: (row: Row, index: number) => number][] = [
  ['CREATED_AT', (_, index) => index],
  ['UPDATED_AT', (_, index) => changed(index).getTime()],
  ['AMOUNT', ({ amount = 1000 }) => amount],
];

/** Lists the filtered fields, such as `amount`. */
const subjects = (filter: object): string[] =>
  Object.keys(filter).map((name) => name.replace(/(Eq|Gte|Lte)$/, ''));

describe('transactions', () => {
  it.each(FILTERS)('are filtered by %s, in every order', async (_what, filter, found) => {
    for (const [sort, key] of SORTS) {
      const value = (name: Name): number => key(ROWS[name], number(name));
      const expected = found.toSorted((a, b) => value(a) - value(b) || number(a) - number(b));

      expect(await names({ filter: filter(), sort: `${sort}_ASC` })).toEqual(expected);
      expect(await names({ filter: filter(), sort: `${sort}_DESC` })).toEqual(expected.toReversed());
    }
  });

  it('are filtered by any two of these different filters', async () => {
    for (const [index, [, first, found]] of FILTERS.entries()) {
      for (const [, second, alsoFound] of FILTERS.slice(index + 1, index + 7)) {
        if (subjects(first()).some((subject) => subjects(second()).includes(subject))) continue;
        expect(await names({ filter: { ...first(), ...second() }, sort: 'CREATED_AT_ASC' })).toEqual(
          found.filter((name) => alsoFound.includes(name)),
        );
      }
    }
  });

  it.each(SEARCHES)('are found by "%s"', async (phrase, found) => {
    const filter = { search: phraseOf(phrase) };

    expect(await names({ filter, sort: 'CREATED_AT_ASC' })).toEqual(found);
    expect(new Set(await names({ filter, sort: 'AMOUNT_ASC' }))).toEqual(new Set(found));
  });

  it('are stored and found with the longest accepted texts', async () => {
    const sign = '\u{1F4B3}';
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`${'字'.repeat(97)}${index + 100}`, '字'.repeat(500)]),
    );
    const buyer = {
      displayName: `${sign} `.repeat(100),
      externalIdentifier: sign.repeat(200),
      billingDetails: { firstName: sign.repeat(255), emailAddress: sign.repeat(320) },
    };
    const id = await insertRow(server, rival.id, 901, {
      externalIdentifier: sign.repeat(200),
      buyer,
      metadata,
    });

    const filter = {
      externalIdentifier: sign.repeat(200),
      buyerEmailAddress: sign.repeat(320),
      metadata: { [`${'字'.repeat(97)}149`]: '字'.repeat(500) },
      search: sign.repeat(200),
    };
    expect((await list(server, { filter }, rival.token)).nodes.map((node) => node.id)).toEqual([id]);
  });

  it.each([
    [{ buyer: 'x', metadata: 'x' }],
    [{ buyer: [1], metadata: ['x'] }],
    [{ buyer: 1, metadata: { a: { b: null } } }],
  ])('are stored even with texts that no mutation writes: %j', async (row) => {
    const id = await insertRow(server, rival.id, 902, { ...row, externalIdentifier: 'odd' });

    const { nodes } = await list(server, { filter: { externalIdentifier: 'odd' } }, rival.token);
    expect(nodes.map((node) => node.id)).toEqual([id]);
    await server.app.db.prisma.transaction.deleteMany({ where: { id } });
  });

  it('are found by their changed texts, and no more by the earlier ones', async () => {
    const id = await insertRow(server, rival.id, 900, { externalIdentifier: 'before', metadata: { a: '1' } });
    const where = { merchantAccountId_id: { merchantAccountId: rival.id, id } };
    const found = async (filter: object): Promise<boolean> =>
      (await list(server, { filter }, rival.token)).nodes.some((node) => node.id === id);

    await server.app.db.prisma.transaction.update({
      where,
      data: { externalIdentifier: 'after', metadata: { a: '2' }, paymentServiceTransactionId: 'later' },
    });

    expect(await found({ externalIdentifier: 'before' })).toBe(false);
    expect(await found({ metadata: { a: '1' } })).toBe(false);
    expect(await found({ search: 'after later' })).toBe(true);
    expect(await found({ metadata: { a: '2' } })).toBe(true);
    await server.app.db.prisma.transaction.update({ where, data: { createdAt: minute(5000) } });
    expect(await found({ externalIdentifier: 'after', createdAtGte: minute(5000) })).toBe(true);
    await server.app.db.prisma.transaction.delete({ where });
    expect(await server.app.db.prisma.transactionTerm.count({ where: { transactionId: id } })).toBe(0);
  });
});
