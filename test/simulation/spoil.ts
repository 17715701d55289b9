import type pg from 'pg';
import type { App } from '../../src/app.ts';
import type { AntiFraudConnector } from '../../src/connectors/anti-fraud/connector.ts';
import { recoveryOf, type Connector, type Recovery } from '../../src/connectors/interface/connector.ts';
import type { Verb } from '../../src/connectors/interface/requests.ts';
import { isLookUpNotice, type LookUpNotice } from '../../src/connectors/notices/look-ups.ts';
import { isOperationNotice, type Notice, type WebhookNotice } from '../../src/connectors/notices/webhook.ts';
import type { CallContext } from '../../src/connectors/interface/call-context.ts';
import type { Feature } from '../../src/connectors/interface/definition.ts';
import type { ProviderWords, Outcome } from '../../src/connectors/interface/outcome.ts';
import type { GiftCards } from '../../src/connectors/interface/gift-cards.ts';
import type { Money } from '../../src/kernel/money.ts';
import type { Db, Tx } from '../../src/platform/database/db.ts';
import { preparedTexts, type Statement } from '../../src/platform/database/statement.ts';
import { oneLine } from '../statements/prepared.ts';

/** Seeds a mistake in an app from outside. The sources have no switch for mistakes. */
export type Spoil = (app: App) => App;

export const NO_WORDS: ProviderWords = { rawResponseCode: null, rawResponseDescription: null };

/** A failure that a mistake takes an answer for. */
export const FAILED = { kind: 'failed', reference: null, errorCode: 'unknown_error', ...NO_WORDS } as const;

type Requested = { readonly key: string; readonly money: Money };

type AtConnectors = {
  /** Changes the key for a provider. */
  readonly key?: (key: string, verb: string) => string;
  /** Changes the outcome of a provider's answer. */
  readonly hear?: (outcome: Outcome, requested: Requested & { readonly verb: Verb }) => Outcome;
  /** Changes the outcome of a look-up. */
  readonly find?: (found: Outcome | null) => Outcome | null;
  /** Changes the requests to continue payments after a return, or their outcomes. */
  readonly resume?: (resume: Resume) => Resume;
  /** Changes the traffic with providers of gift cards. */
  readonly giftCards?: (giftCards: GiftCards) => GiftCards;
  /** Changes the assumed recovery of a provider. */
  readonly recovery?: (recovery: Recovery) => Recovery;
};

/** Changes the traffic between Paygraph and the providers. */
export function atConnectors({
  key = (given) => given,
  hear = (outcome) => outcome,
  find = (found) => found,
  resume = (given) => given,
  giftCards = (given) => given,
  recovery = (given) => given,
}: AtConnectors): Spoil {
  const spoilt =
    <Request extends Requested>(
      verb: Verb,
      call: (context: CallContext, request: Request) => Promise<Outcome>,
    ): ((context: CallContext, request: Request) => Promise<Outcome>) =>
    async (context, request) =>
      hear(await call(context, { ...request, key: key(request.key, verb) }), { ...request, verb });
  const keyed = (given: GiftCards): GiftCards => ({
    ...given,
    redeem: (context, request) => given.redeem(context, { ...request, key: key(request.key, 'redeem') }),
    unredeem: (context, request) =>
      given.unredeem(context, { ...request, key: key(request.key, 'unredeem') }),
    refund: (context, request) => given.refund(context, { ...request, key: key(request.key, 'refund') }),
  });
  const spoil = (connector: Connector): Connector => ({
    ...connector,
    recovery: {
      authorize: recovery(recoveryOf(connector, 'authorize')),
      increase: recovery(recoveryOf(connector, 'increase')),
      reauthorize: recovery(recoveryOf(connector, 'reauthorize')),
      capture: recovery(recoveryOf(connector, 'capture')),
      refund: recovery(recoveryOf(connector, 'refund')),
      void: recovery(recoveryOf(connector, 'void')),
      cancel: recovery(recoveryOf(connector, 'cancel')),
    },
    authorize: spoilt('authorize', (context, request) => connector.authorize(context, request)),
    ...(connector.increase && { increase: spoilt('increase', connector.increase.bind(connector)) }),
    ...(connector.reauthorize && {
      reauthorize: spoilt('reauthorize', connector.reauthorize.bind(connector)),
    }),
    capture: spoilt('capture', (context, request) => connector.capture(context, request)),
    refund: spoilt('refund', (context, request) => connector.refund(context, request)),
    void: spoilt('void', (context, request) => connector.void(context, request)),
    cancel: spoilt('cancel', (context, request) => connector.cancel(context, request)),
    ...(connector.giftCards && { giftCards: giftCards(keyed(connector.giftCards)) }),
    resume: resume(async (context, request) => {
      if (!connector.resume) throw new Error(`The connector ${connector.id} has no returns`);
      return connector.resume(context, request);
    }),
    lookup: async (context, request) => find(await connector.lookup(context, request)),
  });
  return inConnectors(spoil);
}

/** Changes every connector. */
export const inConnectors =
  (change: (connector: Connector) => Connector): Spoil =>
  (app) => ({ ...app, connectors: app.connectors.map(change) });

/** Changes what is read from webhooks about operations. */
export const inNotices = (change: (notice: Notice) => Notice): Spoil =>
  inConnectors(({ webhooks, ...connector }): Connector => {
    if (!webhooks) return connector;
    const spoil = <Read extends WebhookNotice | LookUpNotice>(notice: Read): Read | Notice =>
      !isLookUpNotice(notice) && isOperationNotice(notice) ? change(notice) : notice;
    return {
      ...connector,
      webhooks: {
        ...webhooks,
        read: (part, receiver) => {
          const read = webhooks.read(part, receiver);
          return read.ok ? { ...read, value: read.value.map(spoil) } : read;
        },
      },
    };
  });

type Resume = NonNullable<Connector['resume']>;

export type Rewrite = (text: string) => string;

/** Changes the assumed features of every service. */
export const atFeatures =
  (features: Readonly<Partial<Record<Feature, boolean>>>): Spoil =>
  (app) => ({
    ...app,
    connectors: app.connectors.map((connector) => ({
      ...connector,
      definitions: connector.definitions.map((definition) => ({
        ...definition,
        supportedFeatures: { ...definition.supportedFeatures, ...features },
      })),
    })),
  });

type Check = AntiFraudConnector['check'];

/** Changes the requests to the anti-fraud service, or its answers. */
export const atAntiFraud =
  (change: (check: Check) => Check): Spoil =>
  (app) => ({
    ...app,
    antiFraudConnectors: app.antiFraudConnectors.map((connector) => ({
      ...connector,
      check: change((context, request) => connector.check(context, request)),
    })),
  });

/** Changes the arguments of a method of a Prisma model. */
export const inPrisma = (model: string, method: string, change: (given: Row) => Row): Spoil =>
  inDb((db) => ({
    ...db,
    prisma: within(db.prisma, model, (at) => within(at, method, (call) => spoilt(call, change))),
  }));

const spoilt = (call: unknown, change: (given: Row) => Row) => (given: Row) =>
  (call as (given: Row) => unknown)(change(given));

/** Changes the results of a method of a Prisma model inside transactions. */
export const inTransaction = (model: string, method: string, change: (found: unknown) => unknown): Spoil =>
  aroundInTransaction(
    model,
    method,
    (call) => async (given: Row) => change(await (call as (given: Row) => Promise<unknown>)(given)),
  );

/** Changes the arguments of a method of a Prisma model inside transactions. */
export const givenInTransaction = (model: string, method: string, change: (given: Row) => Row): Spoil =>
  aroundInTransaction(model, method, (call) => spoilt(call, change));

const aroundInTransaction = (model: string, method: string, around: (call: unknown) => unknown): Spoil =>
  inDb((db) => ({
    ...db,
    transaction: (run) => db.transaction((tx) => run(within(tx, model, (at) => within(at, method, around)))),
  }));

/** Returns a copy with another value under one name. */
const within = <Target extends object>(
  target: Target,
  name: string,
  change: (value: never) => unknown,
): Target =>
  new Proxy(target, {
    get: (given, key) => {
      const value: unknown = Reflect.get(given, key);
      return key === name ? change(value as never) : value;
    },
  });

let rewrites = 0;

/**
 * Names a rewritten statement, with a mark at the end. A connection prepares the text of a name once, so each
 * rewrite needs another name.
 */
const spoiltName = (name: string, rewrite: number): string => `${name}~${rewrite}`;

/** Returns the name of a statement in the sources. */
export const unspoiltName = (name: string | null): string => (name ?? 'unnamed').replace(/(~\d+)+$/, '');

type Rows = readonly Row[];
type Run = (statement: Statement) => Promise<Rows>;

/** Wraps every statement, alone or in a transaction. The wrapper may run further statements. */
const aroundStatements = (around: (statement: Statement, run: Run, db: Db) => Promise<Rows>): Spoil =>
  inDb((db) => ({
    ...db,
    // A changed row has the columns of the original row.
    query: async <Given>(statement: Statement) =>
      (await around(statement, (given) => db.query<Row>(given), db)) as readonly Given[],
    transaction: (run) =>
      db.transaction((tx) => run(aroundRaw(tx, (statement, raw) => around(statement, raw, db)))),
  }));

/** Wraps the raw statements of a transaction. They have no names there, so the text identifies them. */
const aroundRaw = (tx: Tx, around: (statement: Statement, run: Run) => Promise<Rows>): Tx =>
  within(
    tx,
    '$queryRawUnsafe',
    (raw: (text: string, ...values: readonly unknown[]) => Promise<Rows>) =>
      (text: string, ...values: readonly unknown[]) =>
        around({ name: nameOfText(text), text, values }, (given) =>
          raw.call(tx, given.text, ...given.values),
        ),
  );

const rewrittenNames = new Map<string, string>();

const nameOfText = (text: string): string | null =>
  rewrittenNames.get(text) ?? preparedTexts().find((one) => one.text === text)?.name ?? null;

/** Rewrites the text of the statements with matching names. The text is on one line. */
export function inText(names: RegExp, rewrite: Rewrite): Spoil {
  const number = rewrites++;
  const rewritten = new Map<string, string>();
  const spoil = <Given>(given: Given): Given => {
    if (!isStatement(given) || !names.test(unspoiltName(given.name))) return given;
    const text = rewritten.get(given.name) ?? rewrite(oneLine(given.text));
    const name = spoiltName(given.name, number);
    rewritten.set(given.name, text);
    rewrittenNames.set(text, name);
    return { ...given, name, text };
  };
  const connect = async (db: Db): Promise<pg.PoolClient> => {
    const client = await db.connect();
    const query = (given: unknown): unknown => client.query(spoil(given) as string);
    return { query, release: (error?: boolean) => client.release(error) } as unknown as pg.PoolClient;
  };
  return together(
    aroundStatements((statement, run) => run(spoil(statement))),
    inDb((db) => ({ ...db, connect: () => connect(db) })),
  );
}

/** Changes the rows of statements, or runs further work after them, each in a separate commit. */
export const afterRows = (
  names: RegExp,
  change: (rows: Rows, statement: Statement, db: Db) => Promise<Rows> | Rows,
): Spoil =>
  aroundStatements(async (statement, run, db) => {
    const rows = await run(statement);
    return names.test(unspoiltName(statement.name)) ? await change(rows, statement, db) : rows;
  });

/**
 * Asks a question in a separate statement before a claim, whose own check is then rewritten. The question gets the
 * claim's merchant account, transaction and amount, and returns whether the claim `fits`.
 */
export function beforeClaim(kind: string, question: string, rewrite: Rewrite): Spoil {
  const name = `claim_${kind}`;
  const ask = inDb((db) => ({
    ...db,
    query: async <Given>(statement: Statement) => {
      if (unspoiltName(statement.name) !== name) return await db.query<Given>(statement);
      // In the order of the claim's parameters.
      const [amount, account, transaction] = statement.values;
      const values = [account, transaction, amount];
      const [row] = await db.query<{ fits: boolean }>({ name: `check_${kind}`, text: question, values });
      return row?.fits === true ? await db.query<Given>(statement) : [];
    },
  }));
  return together(ask, inText(new RegExp(`^${name}$`), rewrite));
}

/** Changes the decision of a rule: the values of a statement, by the names of its parameters. */
export const inValues = (names: RegExp, change: (values: Row) => Row): Spoil =>
  aroundStatements(async (statement, run) => {
    const name = unspoiltName(statement.name);
    if (!names.test(name)) return run(statement);
    const { parameters = [] } = preparedTexts().find((one) => one.name === name) ?? {};
    const before = Object.fromEntries(parameters.map((one, index) => [one, statement.values[index]]));
    const after = { ...before, ...change(before) };
    return run({ ...statement, values: parameters.map((one) => after[one]) });
  });

export type Row = Readonly<Record<string, unknown>>;

/** Combines several mistakes into one. The first is the closest to the modules. */
export const together =
  (...spoils: readonly Spoil[]): Spoil =>
  (app) =>
    spoils.reduceRight((spoilt, spoil) => spoil(spoilt), app);

/**
 * Replaces every occurrence. Throws without one, because the statement has changed and the mistake would have no
 * effect.
 */
export const swap =
  (from: string | RegExp, to: string): Rewrite =>
  (text) => {
    const swapped = typeof from === 'string' ? text.replaceAll(from, to) : text.replace(from, to);
    if (swapped === text) throw new Error(`Nothing to spoil: no ${String(from)} in ${text}`);
    return swapped;
  };

/** Applies changes to any version of the transaction. */
export const ofAnyVersion = swap(/AND t\.xmin = (\$\d+)::xid/, 'AND $1::xid IS NOT NULL');

/** Replaces every occurrence, if any. */
export const swapIfThere =
  (from: string, to: string): Rewrite =>
  (text) =>
    text.replaceAll(from, to);

export const both =
  (...rewrites: readonly Rewrite[]): Rewrite =>
  (text) =>
    rewrites.reduce((changed, rewrite) => rewrite(changed), text);

const inDb =
  (change: (db: Db) => Db): Spoil =>
  (app) => ({ ...app, db: change(app.db) });

type Named = Statement & { readonly name: string };

const isStatement = (given: unknown): given is Named =>
  typeof given === 'object' &&
  given !== null &&
  'text' in given &&
  'name' in given &&
  typeof given.name === 'string';
