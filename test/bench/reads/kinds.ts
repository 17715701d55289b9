import { YEAR } from '../reports/rows.ts';

/** A request as every side gets it. `name` tells the bare server what to answer. */
export type Body = { readonly name: string; readonly query: string; readonly variables: object };

/**
 * A kind of read. PostGraphile makes its own schema of the same tables, so it has its own text. Null for a kind that its schema
 * does not offer.
 */
export type Kind = {
  readonly title: string;
  readonly name: string;
  readonly query: string;
  readonly postgraphile: string | null;
  readonly variables: (known: Known) => object;
  /** The records with an id in an answer, whatever the number of rows. Undefined where the number varies. */
  readonly records?: number;
  /** A round has so many times the usual requests. Short answers need more of them, and long answers fewer. */
  readonly share?: number;
};

/** The ids of records that exist, and the number of transactions. */
export type Known = { readonly account: string; readonly id: string; readonly rows: number };

const TEN =
  'id status amount currency country capturedAmount refundedAmount externalIdentifier method createdAt';
const TEN_OF_TABLE = TEN.replace('id ', 'id: rowId ');
const SUMS = ['authorized', 'captured', 'refunded'];
const OPERATION = 'id status amount createdAt';

/** All transactions in PostGraphile's schema, newest first, with a condition beside the account. */
const newest = (condition: string, fields: string): string =>
  `transactions: allTransactions(first: $first, condition: { merchantAccountId: $account ${condition} }, ` +
  `orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) { nodes { ${fields} } }`;

const ofKind = (kind: string): string =>
  `${kind}s: operationsByMerchantAccountIdAndTransactionId(first: 100, condition: { kind: "${kind}" }, ` +
  `orderBy: [ROW_ID_DESC]) { nodes { ${OPERATION.replace('id ', 'id: rowId ')} } }`;

/** Returns the start of a word that about 130 of 10,000 transactions have. It is longer by a letter for ten times as many. */
const wordFor = (rows: number): string => 'cust-1200'.slice(0, 2 + Math.floor(Math.log10(rows)));

export const KINDS: readonly Kind[] = [
  {
    title: 'list of 50, ten fields',
    name: 'list',
    query: `query ($first: Int!) { transactions(first: $first) { nodes { ${TEN} } } }`,
    postgraphile: `query ($first: Int!, $account: String!) { ${newest('', TEN_OF_TABLE)} }`,
    variables: ({ account }) => ({ first: 50, account }),
    records: 50,
  },
  {
    title: 'list of 50 with service, captures and refunds',
    name: 'nested',
    query:
      'query ($first: Int!) { transactions(first: $first) { nodes { id status amount ' +
      `paymentService { id displayName } captures { ${OPERATION} } refunds { ${OPERATION} } } } }`,
    postgraphile: `query ($first: Int!, $account: String!) { ${newest(
      '',
      'id: rowId status amount ' +
        'paymentService: paymentServiceByMerchantAccountIdAndPaymentServiceId { id: rowId displayName } ' +
        `${ofKind('capture')} ${ofKind('refund')}`,
    )} }`,
    variables: ({ account }) => ({ first: 50, account }),
  },
  {
    title: 'ten buyers with 20 transactions each',
    name: 'buyers',
    query: `query ($first: Int!) { buyers(first: $first) { nodes { id displayName transactions(first: 20) { nodes { ${TEN} } } } } }`,
    postgraphile:
      'query ($first: Int!, $account: String!) { buyers: allBuyers(first: $first, ' +
      'condition: { merchantAccountId: $account }, orderBy: [ROW_ID_DESC]) { nodes { id: rowId displayName ' +
      'transactions: transactionsByMerchantAccountIdAndBuyerId(first: 20, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) ' +
      `{ nodes { ${TEN_OF_TABLE} } } } } }`,
    variables: ({ account }) => ({ first: 10, account }),
    records: 10 + 10 * 20,
  },
  {
    title: 'two payment services with 20 transactions each',
    name: 'services',
    query: `query ($first: Int!) { paymentServices(first: $first) { nodes { id displayName transactions(first: 20) { nodes { ${TEN} } } } } }`,
    postgraphile:
      'query ($first: Int!, $account: String!) { paymentServices: allPaymentServices(first: $first, ' +
      'condition: { merchantAccountId: $account }, orderBy: [ROW_ID_DESC]) { nodes { id: rowId displayName ' +
      'transactions: transactionsByMerchantAccountIdAndPaymentServiceId(first: 20, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) ' +
      `{ nodes { ${TEN_OF_TABLE} } } } } }`,
    variables: ({ account }) => ({ first: 2, account }),
    records: 2 + 2 * 20,
  },
  {
    title: 'list of 50 with a filter',
    name: 'filtered',
    query:
      'query ($first: Int!, $currency: String!) { transactions(first: $first, ' +
      `filter: { currency: [$currency], status: [AUTHORIZATION_DECLINED] }) { nodes { ${TEN} } } }`,
    postgraphile:
      'query ($first: Int!, $account: String!, $currency: String!) ' +
      `{ ${newest('currency: $currency, status: "authorization_declined"', TEN_OF_TABLE)} }`,
    variables: ({ account }) => ({ first: 50, account, currency: 'EUR' }),
    records: 50,
  },
  {
    title: 'list of 50 by a search for the start of a word',
    name: 'search',
    query: `query ($first: Int!, $search: String!) { transactions(first: $first, filter: { search: $search }) { nodes { ${TEN} } } }`,
    postgraphile: null,
    variables: ({ account, rows }) => ({ first: 50, account, search: wordFor(rows) }),
    records: 50,
  },
  {
    title: 'one by id, ten fields',
    name: 'one',
    query: `query ($id: ID!) { transaction(id: $id) { ${TEN} } }`,
    postgraphile:
      'query ($id: UUID!, $account: String!) { transaction: transactionByMerchantAccountIdAndRowId(' +
      `merchantAccountId: $account, rowId: $id) { ${TEN_OF_TABLE} } }`,
    variables: ({ account, id }) => ({ account, id }),
    records: 1,
    share: 5,
  },
  {
    title: 'report of a year by day, three currencies',
    name: 'report',
    query:
      'query ($from: DateTime!, $to: DateTime!) { report: transactionReport(from: $from, to: $to, interval: DAY) ' +
      `{ rows { startsAt currency ${SUMS.map((sum) => `${sum} { count amount }`).join(' ')} } } }`,
    postgraphile:
      'query ($account: String!) { report: allReportBuckets(condition: { merchantAccountId: $account, grain: "day", ' +
      'dimension: "all", value: "" }, orderBy: [STARTS_AT_ASC, CURRENCY_ASC]) ' +
      `{ rows: nodes { startsAt currency ${SUMS.map((sum) => `${sum}Count ${sum}Amount`).join(' ')} } } }`,
    variables: ({ account }) => ({ account, ...YEAR }),
    share: 0.2,
  },
  {
    title: '`{ __typename }`',
    name: 'typename',
    query: '{ __typename }',
    postgraphile: '{ __typename }',
    variables: () => ({}),
    share: 10,
  },
];
