import type { Definition } from '../../src/connectors/definition.ts';
import type { Money } from '../../src/kernel/money.ts';
import { applyDueWebhooks, reconcileDue } from '../../src/modules/transactions/index.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../src/platform/http-client.ts';
import { DOCUMENTS, type Payload, type Verb } from '../support/payments.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { until } from '../support/until.ts';
import { CARD } from './contract-calls.ts';
import type { ContractProvider, OwedWebhook, Subject } from './contract-provider.ts';

/** A payment service at the provider, as merchants see it. */
type Service = { readonly id: string; readonly webhookUrl: string };

/** A running service, between a merchant and a fake of the connector's provider. */
export type Core = Awaited<ReturnType<typeof openCore>>;

/** Pays with the card of the suites, or at the provider's own page. */
export type PaysIn = 'by card' | { readonly redirect: { readonly method: string } };

/** Starts the service with one payment service at the fake, and another one with other secrets. */
export async function openCore(subject: Subject, definition: Definition, pays: PaysIn) {
  const provider = await subject.start(definition);
  const clock = createShiftedClock();
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  const server = await startTestServer({
    clock,
    connectors: [subject.connector],
    ...(provider.via && { http: { ...http, ...provider.via(http) } }),
  });
  const money = approvedBy(provider);
  const service = await createService(server, { definition, money, credentials: provider.credentials });
  const secretsOfOthers = Object.fromEntries(
    Object.entries(provider.credentials).map(([key, value]) => [
      key,
      definition.fields.some((field) => field.key === key && field.secret) ? `other${value}` : value,
    ]),
  );
  const another = await createService(server, { definition, money, credentials: secretsOfOthers });
  const { prisma } = server.app.db;

  let { token } = server;
  const mutate = async (verb: Verb, variables: object): Promise<Payload> => {
    const { body } = await server.graphql<{ payload: Payload }>(DOCUMENTS[verb], { ...variables }, { token });
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data.payload;
  };
  const operationOf = (transactionId: string, kind: string) =>
    prisma.operation.findFirstOrThrow({ where: { transactionId, kind }, orderBy: { id: 'desc' } });
  const keyOf = async (transactionId: string, kind: string): Promise<string> => {
    const { id, providerKey } = await operationOf(transactionId, kind);
    return providerKey ?? id;
  };
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    token = await server.mint();
  };
  return {
    provider,
    money,
    service,
    another,
    /** Creates another payment service with the same secrets. */
    createTwin: () => createService(server, { definition, money, credentials: provider.credentials }),
    keyOf,
    /** Creates a payment through the first payment service, and returns its id. */
    pay: async (intent: 'AUTHORIZE' | 'CAPTURE' = 'AUTHORIZE', paid = money): Promise<string> => {
      const how = pays === 'by card' ? { paymentMethod: { card: CARD } } : { paymentMethod: pays };
      const input = { ...paid, ...how, intent, paymentServiceId: service.id, redirectUrl: SHOP };
      const { transaction, userErrors } = await mutate('authorize', { input });
      if (!transaction) throw new Error(JSON.stringify(userErrors));
      return transaction.id;
    },
    capture: (id: string) => mutate('capture', { id, input: {} }),
    refund: (id: string) => mutate('refund', { id, input: {} }),
    /** Ends the provider's work, and takes the webhooks that it then owes. */
    owed: (): readonly OwedWebhook[] => {
      provider.finish?.();
      return provider.webhooks?.() ?? [];
    },
    /** Posts webhooks to a payment service. Returns the statuses once the service has tried to apply each. */
    deliver: async (owed: readonly OwedWebhook[], to: Service = service): Promise<readonly number[]> => {
      const known = await prisma.inboundWebhook.findMany({ select: { id: true } });
      const statuses: number[] = [];
      for (const { headers, body } of owed) {
        const answer = await fetch(to.webhookUrl, { method: 'POST', headers, body });
        await answer.arrayBuffer();
        statuses.push(answer.status);
      }
      const leased = { gt: new Date(clock.now().getTime() + POSTPONED_MS_MAX) };
      const where = { state: 'parked', nextAttemptAt: leased, id: { notIn: known.map(({ id }) => id) } };
      await until(async () => (await prisma.inboundWebhook.count({ where })) === 0);
      return statuses;
    },
    /** Waits a few times until the webhooks of a payment service that came too early are due, and applies them. */
    applyEarly: async (of: Service = service): Promise<void> => {
      for (let times = 0; times < EARLY_TIMES; times += 1) {
        const [last] = await prisma.inboundWebhook.findMany({
          where: { state: 'parked', paymentServiceId: of.id },
          orderBy: { nextAttemptAt: 'desc' },
          take: 1,
        });
        if (!last?.nextAttemptAt) return;
        await pass(Math.max(0, last.nextAttemptAt.getTime() - clock.now().getTime()) + 1);
        while (await applyDueWebhooks(server.app)) continue;
      }
    },
    /** Counts the stored webhooks. */
    stored: () => prisma.inboundWebhook.count(),
    /** Reconciles when the newest operation of a kind is due, until its outcome is known. */
    reconcile: async (id: string, kind: string): Promise<void> => {
      for (let times = 0; times < RECONCILES_MAX; times += 1) {
        const { status, nextAttemptAt } = await operationOf(id, kind);
        if (status !== 'pending' || nextAttemptAt === null) return;
        await pass(Math.max(0, nextAttemptAt.getTime() - clock.now().getTime()) + 1);
        await reconcileDue(server.app);
      }
    },
    /** Lists the entries of a payment's ledger: kind and amount, oldest first. */
    ledger: async (transactionId: string): Promise<readonly string[]> =>
      (await prisma.ledgerEntry.findMany({ where: { transactionId }, orderBy: { id: 'asc' } })).map(
        ({ kind, amount }) => `${kind} ${amount}`,
      ),
    payment: (id: string) => prisma.transaction.findFirstOrThrow({ where: { id } }),
    operationOf,
    /** Returns the address to which the provider sends the buyer back, and that to which the buyer goes. */
    addressesOf: async (id: string) => {
      const { body } = await server.graphql<{ transaction: { approvalUrl: string } }>(
        'query ($id: ID!) { transaction(id: $id) { approvalUrl } }',
        { id },
        { token },
      );
      const back = provider.returnUrl?.(await keyOf(id, 'authorize')) ?? '';
      return { there: body.data?.transaction.approvalUrl ?? '', back };
    },
    done: (key: string): number => provider.done().filter((each) => each === key).length,
    close: async (): Promise<void> => {
      await server.stop();
      http.close();
      await provider.close();
    },
  };
}

/** The merchant's page, to which a buyer comes back in the end. */
export const SHOP = 'https://shop.example/back';

/** A webhook that cannot be applied yet is tried again after so long, the first time. Its first lease is longer. */
const POSTPONED_MS_MAX = 2_000;

/** Each wait of a webhook doubles the time since its arrival. */
const EARLY_TIMES = 3;

const RECONCILES_MAX = 4;

function approvedBy(provider: ContractProvider): Money {
  const money = provider.money('authorize', 'approve');
  if (!money) throw new Error('The provider approves no payment');
  return money;
}

async function createService(
  server: TestServer,
  {
    definition,
    money,
    credentials,
  }: {
    readonly definition: Definition;
    readonly money: Money;
    readonly credentials: ContractProvider['credentials'];
  },
): Promise<Service> {
  const { body } = await server.graphql<{ made: { paymentService: Service | null } }>(
    `mutation ($input: CreatePaymentServiceInput!) { made: createPaymentService(input: $input) {
      paymentService { id webhookUrl } userErrors { message path } } }`,
    {
      input: {
        displayName: 'Provider of the contract',
        paymentServiceDefinitionId: definition.id,
        fields: Object.entries(credentials).map(([key, value]) => ({ key, value })),
        acceptedCurrencies: [money.currency],
        acceptedCountries: ['US'],
      },
    },
  );
  const service = body.data?.made.paymentService;
  if (!service) throw new Error(JSON.stringify(body));
  return service;
}
