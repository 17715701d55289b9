import { payloadFaults } from '../../events/payload-faults.ts';
import { openShop, type Input, type Paid, type Shop } from '../../routing/harness.ts';
import type { TestServer } from '../../support/server.ts';

/** Switches circuits on in a test server. */
export const CIRCUITS_ON = { PAYGRAPH_CIRCUIT_FAILURE_PERCENT: '50' };

/** The fields of a service of the sandbox whose key plays a fault. `well` plays none. */
export const keyed = (key: 'failing' | 'silent' | 'declining' | 'well') => ({
  fields: [
    { key: 'merchant_id', value: 'm-1' },
    { key: 'api_key', value: key },
  ],
});

export type Circuit = {
  readonly state: string;
  readonly openedAt: string;
  readonly tryAgainAt: string;
  readonly calls: number;
  readonly failures: number;
  readonly failedTrials: number;
};

export type Effect = { readonly setBehind: readonly number[]; readonly triedAgain: readonly number[] };

/** A merchant account with three services by position, and views of their circuits. */
export type CircuitShop = Shop & {
  /** Pays some times, one after the other. */
  payTimes(times: number, input?: Input): Promise<void>;
  /** Returns the circuits of the services, by position. */
  circuits(): Promise<readonly (Circuit | null)[]>;
  /** Changes the key of a service, by its place from 1. */
  change(place: number, key: Parameters<typeof keyed>[0]): Promise<void>;
  /** Returns the effect of circuits on a payment, as places from 1. */
  effectOf(paid: Paid): Promise<Effect | null>;
  /** Returns the names of the events about circuits, with their services. Throws for a payload without its schema's form. */
  events(): Promise<readonly string[]>;
};

const CIRCUITS = `{ answer: paymentServices(first: 10) { nodes { id position
  circuit { state openedAt tryAgainAt calls failures failedTrials } } } }`;
const CHANGE = `mutation ($id: ID!, $input: UpdatePaymentServiceInput!) {
  answer: updatePaymentService(id: $id, input: $input) { userErrors { message } } }`;
const EFFECT = `query ($id: ID!) { answer: transaction(id: $id) {
  circuits { setBehind { id } triedAgain { id } } } }`;

type Ids = readonly { readonly id: string }[];

export async function openCircuitShop(
  server: TestServer,
  services?: readonly [Input, Input, Input],
): Promise<CircuitShop> {
  const shop = await openShop(server, services);
  const placesOf = (ids: Ids) => ids.map(({ id }) => shop.services.indexOf(id) + 1);
  return {
    ...shop,
    payTimes: async (times, input) => {
      for (let nth = 0; nth < times; nth += 1) await shop.pay(input);
    },
    circuits: async () => {
      const { nodes } = await shop.ask<{ nodes: { position: number; circuit: Circuit | null }[] }>(CIRCUITS);
      return nodes.toSorted((one, other) => one.position - other.position).map(({ circuit }) => circuit);
    },
    change: async (place, key) => {
      await shop.ask(CHANGE, { id: shop.services[place - 1], input: keyed(key) });
    },
    effectOf: async ({ transaction }) => {
      const { circuits } = await shop.ask<{ circuits: { setBehind: Ids; triedAgain: Ids } | null }>(EFFECT, {
        id: transaction?.id,
      });
      return (
        circuits && { setBehind: placesOf(circuits.setBehind), triedAgain: placesOf(circuits.triedAgain) }
      );
    },
    events: async () => {
      const rows = await server.app.db.prisma.event.findMany({
        where: { merchantAccountId: shop.id, targetType: 'payment-service' },
        orderBy: { id: 'asc' },
      });
      const faults = rows.flatMap(({ payload }) => payloadFaults(payload));
      if (faults.length > 0) throw new Error(faults.join('\n'));
      return rows.map(({ name, targetId }) => `${name} ${shop.services.indexOf(targetId) + 1}`);
    },
  };
}
