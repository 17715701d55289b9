import pg from 'pg';
import { OperatorError } from '../operator-error.ts';

/**
 * Opens one connection for work at start. Throws an OperatorError when the database is unreachable. The caller ends the
 * connection.
 */
export async function connectOnce(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    const { hostname, port, pathname } = new URL(url);
    throw new OperatorError(
      `The database ${pathname.slice(1)} at ${hostname}:${port || '5432'} cannot be reached: ${reasonOf(error)}. ` +
        'Start it, or correct DATABASE_URL.',
    );
  }
}

/** Returns the reason of a failure. Several addresses of one name fail as one error without a message. */
function reasonOf(error: unknown): string {
  const errors = (error as { readonly errors?: unknown }).errors;
  const first: unknown = Array.isArray(errors) ? errors[0] : error;
  return String((first as { readonly message?: unknown }).message);
}
