import type { Definition } from '../../src/connectors/interface/definition.ts';
import { createWebhookMaterial } from '../../src/connectors/reading/webhook-material.ts';
import type { Money } from '../../src/kernel/money.ts';
import { expireApprovals } from '../../src/modules/transactions/buyer-approval/store/approval.sql.ts';
import { applyDueWebhooks, lookUpDue, reconcileDue } from '../../src/modules/transactions/index.ts';
import { createHttpClient, SANDBOX_NETWORKS, type HttpClient } from '../../src/platform/http/http-client.ts';
import { DOCUMENTS, type Payload, type Verb } from '../support/payments.ts';
import { startTestServer } from '../support/server.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { until } from '../support/until.ts';
import { CARD } from './contract-calls.ts';
import { mannerOf, type ContractProvider, type OwedWebhook, type Subject } from './contract-provider.ts';
import { postWebhooks } from './double-server.ts';
import { connect, type Service } from './kit/service.ts';

/** A running service, between a merchant and a fake of the connector's provider. */
export type Core = Awaited<ReturnType<typeof openCore>>;

/**
 * The means to pay: the card of the suites, another card, or the provider's own page. A stored method was stored by a first
 * payment on that page. With `authenticated`, the service asks the provider to authenticate the buyer.
 */
export type PaysIn =
  | 'by card'
  | { readonly card: typeof CARD }
  | { readonly authenticated: typeof CARD }
  | { readonly redirect: { readonly method: string } }
  | { readonly stored: { readonly method: string } };

/** Starts the service with one payment service at the fake, and another one with other secrets. */
export async function openCore(subject: Subject, definition: Definition, pays: PaysIn) {
  const clock = createShiftedClock();
  const provider = await subject.start(definition, () => clock.now());
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  const ours: HttpClient = { ...http, ...provider.via?.(http) };
  const server = await startTestServer({
    clock,
    connectors: [subject.connector],
    ...{ http: ours, webhookMaterial: createWebhookMaterial(ours, clock) },
  });
  const money = approvedBy(provider);
  const { prisma } = server.app.db;

  let { token } = server;
  const ask = async <Data>(document: string, variables: object = {}): Promise<Data> => {
    const { body } = await server.graphql<Data>(document, { ...variables }, { token });
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data;
  };
  const mutate = async (verb: Verb, variables: object): Promise<Payload> =>
    (await ask<{ payload: Payload }>(DOCUMENTS[verb], variables)).payload;
  const createService = (credentials = provider.credentials): Promise<Service> =>
    connect({ ask }, definition.id, credentials, {
      ...{ acceptedCurrencies: [money.currency], acceptedCountries: ['US'] },
      ...(typeof pays === 'object' && 'authenticated' in pays && { threeDSecureEnabled: true }),
    });
  const service = await createService();
  const another = await createService(provider.others ?? othersThan(provider.credentials, definition));
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
  const create = async (input: object): Promise<string> => {
    const { transaction, userErrors } = await mutate('authorize', {
      input: { ...money, paymentServiceId: service.id, redirectUrl: SHOP, ...input },
    });
    if (!transaction) throw new Error(JSON.stringify(userErrors));
    return transaction.id;
  };
  /** Lets the buyer decide at the provider's page and come back. Returns the status and the merchant's address. */
  const comeBack = async (id: string, decision: BuyerDecision, method: 'GET' | 'POST' = 'GET') => {
    const key = await keyOf(id, 'authorize');
    const back = provider.returnUrl?.(key) ?? '';
    const parameters = new URLSearchParams({ ...provider.returned?.(decision, key) });
    const response = await (method === 'GET'
      ? fetch(`${back}?${parameters.toString()}`, { redirect: 'manual' })
      : fetch(back, { method, body: parameters, redirect: 'manual' }));
    await response.arrayBuffer();
    return { status: response.status, address: response.headers.get('location') };
  };
  /** Pays once with the buyer, and returns the fields of payments by the method that this payment stored. */
  const storeMethod = async (method: string): Promise<object> => {
    const series = { paymentSource: 'RECURRING' };
    const id = await create({ ...series, paymentMethod: { redirect: { method } }, store: true });
    await comeBack(id, 'approve');
    provider.webhooks?.();
    const { paymentMethodId } = await prisma.transaction.findFirstOrThrow({ where: { id } });
    const paymentMethod = { stored: { id: paymentMethodId } };
    return { ...series, paymentMethod, merchantInitiated: true, isSubsequentPayment: true };
  };
  const means = await meansOf(pays, storeMethod);
  /** Ends the provider's work, and takes the webhooks that it then owes. */
  const owed = (): readonly OwedWebhook[] => {
    provider.finish?.();
    return provider.webhooks?.() ?? [];
  };
  /** Posts webhooks to a payment service. Returns the statuses once the service has tried to apply each. */
  const deliver = async (
    webhooks: readonly OwedWebhook[],
    to: Service = service,
  ): Promise<readonly number[]> => {
    const known = await prisma.inboundWebhook.findMany({ select: { id: true } });
    const statuses = await postWebhooks(to.webhookUrl, webhooks);
    if (mannerOf(subject, definition).onlyNames) await server.http.webhooksApplied();
    const leased = { gt: new Date(clock.now().getTime() + POSTPONED_MS_MAX) };
    const where = { state: 'parked', nextAttemptAt: leased, id: { notIn: known.map(({ id }) => id) } };
    await until(async () => (await prisma.inboundWebhook.count({ where })) === 0);
    return statuses;
  };
  return {
    provider,
    money,
    service,
    another,
    /** Creates another payment service with the same secrets. */
    createTwin: () => createService(),
    keyOf,
    /** Creates a payment through the first payment service, and returns its id. Some providers tell the capture of a sale later. */
    pay: async (intent: 'AUTHORIZE' | 'CAPTURE' = 'AUTHORIZE', paid = money): Promise<string> => {
      const id = await create({ ...means, ...paid, intent });
      if (intent === 'CAPTURE' && (await operationOf(id, 'authorize')).status === 'pending')
        await deliver(owed());
      return id;
    },
    comeBack,
    capture: (id: string) => mutate('capture', { id, input: {} }),
    refund: (id: string) => mutate('refund', { id, input: {} }),
    ...{ owed, deliver },
    /**
     * Waits a few times until the webhooks of a payment service that came too early are due, and applies them. Asks about payments
     * that webhooks only named.
     */
    applyEarly: async (of: Service = service): Promise<void> => {
      const [named] = await prisma.reportedPayment.findMany({ orderBy: { nextAt: 'desc' }, take: 1 });
      if (named) await pass(Math.max(0, named.nextAt.getTime() - clock.now().getTime()) + 1);
      while (await lookUpDue(server.app)) continue;
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
    /** Goes on to a moment. Ends the buyers' time, and reconciles what is due then. */
    goOnTo: async (moment: Date | null): Promise<void> => {
      if (!moment) throw new Error('The moment is not known');
      await pass(Math.max(0, moment.getTime() - clock.now().getTime()) + 1);
      await expireApprovals(server.app.db, clock.now());
      await reconcileDue(server.app);
    },
    /** Lists the entries of a payment's ledger: kind and amount, oldest first. */
    ledger: async (transactionId: string): Promise<readonly string[]> =>
      (await prisma.ledgerEntry.findMany({ where: { transactionId }, orderBy: { id: 'asc' } })).map(
        ({ kind, amount }) => `${kind} ${amount}`,
      ),
    payment: (id: string) => prisma.transaction.findFirstOrThrow({ where: { id } }),
    operationOf,
    /** Returns the address of the page to which the buyer goes. */
    pageOf: async (id: string): Promise<string> => {
      const query = 'query ($id: ID!) { transaction(id: $id) { approvalUrl } }';
      return (await ask<{ transaction: { approvalUrl: string } }>(query, { id })).transaction.approvalUrl;
    },
    /** Opens a page, and returns its text. The page may be at a host of the provider. */
    openPage: async (url: string): Promise<string> => {
      const page = await (url.startsWith(server.url) ? http : ours).send({
        ...{ method: 'GET', url, headers: {}, body: '', pool: 'pages' },
        ...{ deadlineMs: 60_000, replyBytesMax: 100_000 },
      });
      return 'reply' in page ? page.reply.body : '';
    },
    done: (key: string): number => provider.done().filter((each) => each === key).length,
    close: async (): Promise<void> => {
      await server.stop();
      http.close();
      await provider.close();
    },
  };
}

/** The decision of a buyer at the provider's page. With `nothing` the buyer comes back undecided. */
export type BuyerDecision = 'approve' | 'refuse' | 'nothing';

function meansOf(pays: PaysIn, storeMethod: (method: string) => Promise<object>): Promise<object> {
  if (pays === 'by card') return Promise.resolve({ paymentMethod: { card: CARD } });
  if ('authenticated' in pays) return Promise.resolve({ paymentMethod: { card: pays.authenticated } });
  return 'stored' in pays ? storeMethod(pays.stored.method) : Promise.resolve({ paymentMethod: pays });
}

/** Returns the configuration of another service, whose secrets are others. */
const othersThan = (
  credentials: ContractProvider['credentials'],
  { fields }: Definition,
): ContractProvider['credentials'] =>
  Object.fromEntries(
    Object.entries(credentials).map(([key, value]) => [
      key,
      fields.some((field) => field.key === key && field.secret) ? `other${value}` : value,
    ]),
  );

/** The merchant's page, to which a buyer comes back in the end. */
export const SHOP = 'https://shop.example/back';

/** A webhook that cannot be applied yet is tried again after so long, the first time. Its first lease is longer. */
const POSTPONED_MS_MAX = 2_000;

/** Each wait of a webhook doubles the time since its arrival. */
const EARLY_TIMES = 3;

const RECONCILES_MAX = 6;

function approvedBy(provider: ContractProvider): Money {
  const money = provider.money('authorize', 'approve');
  if (!money) throw new Error('The provider approves no payment');
  return money;
}
