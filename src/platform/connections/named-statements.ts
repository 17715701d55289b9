import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../operator-error.ts';
import { connectOnce } from '../postgres/connect.ts';

/** The longest wait for a second connection behind the pooler. */
const WAIT_MS = 1_000;

const NAMED = { name: 'paygraph_named', text: 'SELECT 1' };

/**
 * Checks that a pooler carries named statements from one server connection to another. Throws an OperatorError otherwise.
 *
 * One client names a statement. Another client then occupies the server connection with a transaction. The first client runs its
 * statement again, on another server connection. PgBouncer before 1.21 answers that the statement does not exist.
 */
export async function requireNamedStatements(url: string): Promise<void> {
  const [one, other] = [await connectOnce(url), await connectOnce(url)];
  try {
    await one.query(NAMED);
    await other.query('BEGIN');
    await other.query('SELECT 1');
    const again = one.query(NAMED).then(() => null, refusal);
    // A pooler with one server connection lets the first client wait.
    const first = await Promise.race([again, delay(WAIT_MS, null, { ref: false })]);
    await other.query('COMMIT');
    const refused = first ?? (await again);
    if (refused) throw refused;
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
}

const refusal = (error: unknown): OperatorError =>
  new OperatorError(
    `The pooler of DATABASE_URL cannot run named statements: ${(error as Error).message}. ` +
      'Use PgBouncer 1.21 or later in transaction mode, and set its max_prepared_statements to 500.',
  );
