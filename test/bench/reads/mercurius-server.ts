import Fastify from 'fastify';
import mercurius from 'mercurius';
import { serve } from '../child.ts';
import type { Body } from './kinds.ts';
import { ask, openPool, type Listed, type Variables } from './statements.ts';

// A process that answers each kind of read with Mercurius, graphql-jit and hand-written SQL. Its task is open.

const SCHEMA = `
  scalar Moment
  scalar DateTime
  type Operation { id: ID! status: String! amount: Int! createdAt: Moment! }
  type PaymentService { id: ID! displayName: String! transactions(first: Int!): Page! }
  type PaymentServices { nodes: [PaymentService!]! }
  type Transaction { id: ID! status: String! amount: Int! currency: String! country: String capturedAmount: Int!
    refundedAmount: Int! externalIdentifier: String method: String! createdAt: Moment!
    paymentService: PaymentService captures: [Operation!]! refunds: [Operation!]! }
  enum Status { AUTHORIZATION_DECLINED }
  input Filter { currency: [String!] status: [Status!] search: String }
  type Page { nodes: [Transaction!]! }
  type Buyer { id: ID! displayName: String transactions(first: Int!): Page! }
  type Buyers { nodes: [Buyer!]! }
  type Sum { count: String! amount: String! }
  type ReportRow { startsAt: Moment! currency: String! authorized: Sum! captured: Sum! refunded: Sum! }
  type Report { rows: [ReportRow!]! }
  enum Interval { DAY }
  type Query { transactionReport(from: DateTime!, to: DateTime!, interval: Interval!): Report!
    transactions(first: Int!, filter: Filter): Page! transaction(id: ID!): Transaction buyers(first: Int!): Buyers!
    paymentServices(first: Int!): PaymentServices! }`;

/** Rows have counts and amounts side by side. */
const sumOf = (name: string) => (row: Readonly<Record<string, unknown>>) => ({
  count: row[`${name}Count`],
  amount: row[`${name}Amount`],
});

const pageOf = ({ transactions }: { readonly transactions: readonly object[] }) => ({ nodes: transactions });

serve({
  open: async (url: string) => {
    const pool = openPool(url, 'mercurius');
    const app = Fastify();
    void app.register(mercurius, {
      schema: SCHEMA,
      jit: 1,
      // A hand-written resolver has a statement for each page of the dashboard.
      context: ({ body }) => body as object,
      resolvers: {
        Query: {
          transactions: async (_: unknown, __: object, context: object) => {
            const { name, variables } = context as Body;
            return { nodes: await ask(pool, name as Listed, variables as Variables) };
          },
          buyers: async (_: unknown, __: object, context: object) => ({
            nodes: await ask(pool, 'buyers', (context as Body).variables as Variables),
          }),
          paymentServices: async (_: unknown, __: object, context: object) => ({
            nodes: await ask(pool, 'services', (context as Body).variables as Variables),
          }),
          transactionReport: async (_: unknown, __: object, context: object) => ({
            rows: await ask(pool, 'report', (context as Body).variables as Variables),
          }),
          transaction: async (_: unknown, __: object, context: object) =>
            (await ask(pool, 'one', (context as Body).variables as Variables))[0] ?? null,
        },
        ReportRow: {
          authorized: sumOf('authorized'),
          captured: sumOf('captured'),
          refunded: sumOf('refunded'),
        },
        Buyer: { transactions: pageOf },
        PaymentService: { transactions: pageOf },
      },
    });
    return await app.listen({ host: '127.0.0.1', port: 0 });
  },
});
