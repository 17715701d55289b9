// The doors of the modules prepare the statements below.
import '../../modules/events/index.ts';
import '../../modules/payment-links/index.ts';
import '../../modules/payment-methods/index.ts';
import { frequentLists } from '../../modules/transactions/index.ts';
import { openDb, queryOn, type Db, type DbSettings } from '../../platform/database/db.ts';
import { isPlanTimeout, limitPlans, readPlan, readVersion } from '../../platform/database/plans/plan.sql.ts';
import { preparedTexts, type PreparedText } from '../../platform/database/statement.ts';
import { describeError } from '../../platform/describe-error.ts';

/** The statements of each payment, capture, refund and void, of their recovery, and of each event on its way out. */
const OF_MONEY = [
  ...['claim_authorize', 'claim_authorize_stored', 'mark_operation_sent', 'settle_authorize_succeeded'],
  ...['settle_authorize_declined', 'claim_capture', 'settle_capture_succeeded', 'claim_refund'],
  ...['settle_refund_succeeded', 'claim_void', 'settle_void_succeeded', 'claim_due_operations'],
  ...[
    'match_webhook_by_key',
    'match_webhook_by_reference',
    'relay_move',
    'delivery_claim',
    'delivery_settle',
  ],
];

/** The reads that every page and every consumer of events sends. */
const OF_READS = [
  ...[
    'read_transactions_whole',
    'read_operations_all_whole',
    'read_follow_ups_whole',
    'read_payment_links_line',
  ],
  ...['payment_methods_of_buyer', 'feed_range_whole', 'feed_range_newest_line', 'deliveries_of_events_line'],
];

/**
 * The lines of a plan by the name of the statement. A plan that Postgres refuses has its error instead. After the first time-out,
 * the connection's other plans are skipped.
 */
export type Plans = Readonly<Record<string, readonly string[] | { readonly failed: object } | 'skipped'>>;

/**
 * Reads the plans of the statements that payments and lists depend on. No statement runs. A connection has the settings of those
 * that send its statements, because Postgres plans by them.
 */
export async function readPlans(settings: DbSettings, readTimeoutMs: number): Promise<Plans> {
  const texts = new Map(preparedTexts().map((each) => [each.name, each]));
  const named = (names: readonly string[]) => names.map((name) => texts.get(name) ?? missing(name));
  return {
    ...(await plansOn(settings, named(OF_MONEY))),
    ...(await plansOn({ ...settings, readTimeoutMs }, [...named(OF_READS), ...frequentLists()])),
  };
}

function missing(name: string): never {
  throw new Error(`No statement is called ${name}.`);
}

type Named = Pick<PreparedText, 'name' | 'text'>;

async function plansOn(settings: DbSettings, statements: readonly Named[]): Promise<Plans> {
  const db = openDb(settings);
  const client = await db.connect();
  try {
    return await plansBy(queryOn(client), statements);
  } finally {
    client.release();
    await db.close();
  }
}

async function plansBy(client: Pick<Db, 'query'>, statements: readonly Named[]): Promise<Plans> {
  await limitPlans(client);
  const version = await readVersion(client);
  const plans = new Map<string, Plans[string]>(statements.map(({ name }) => [name, 'skipped']));
  for (const statement of statements) {
    try {
      plans.set(statement.name, await readPlan(client, statement, version));
    } catch (error) {
      const { name, code } = describeError(error);
      plans.set(statement.name, { failed: { name, code } });
      if (isPlanTimeout(error)) break;
    }
  }
  return Object.fromEntries(plans);
}
