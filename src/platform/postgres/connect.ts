import type pg from 'pg';
import { OperatorError } from '../operator-error.ts';
import { nameOf } from '../process/database-address.ts';
import { clientsOf } from './client.ts';

/**
 * Opens one connection for work at start. Throws an OperatorError when the database is unreachable. The caller ends the
 * connection.
 */
export async function connectOnce(url: string): Promise<pg.Client> {
  const client = new (clientsOf(url))({ connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new OperatorError(
      `The database ${nameOf(url)} cannot be reached: ${reasonOf(error)}. ` +
        'Start it, or correct DATABASE_URL.',
    );
  }
}

/** Returns the reason of a failure. Several addresses of one name, and several hosts, fail as one error. */
function reasonOf(error: unknown): string {
  const errors = (error as { readonly errors?: unknown }).errors;
  const each: readonly unknown[] = Array.isArray(errors) ? errors : [error];
  return each.map((one) => String((one as { readonly message?: unknown }).message)).join(', ');
}
