import pg from 'pg';
import { OperatorError } from '../operator-error.ts';

/** Opens one connection, for work at start; refuses in a sentence when the database cannot be reached. The caller ends it. */
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

/** Several addresses of one name fail as one error, which says nothing itself. */
function reasonOf(error: unknown): string {
  const errors = (error as { readonly errors?: unknown }).errors;
  const first: unknown = Array.isArray(errors) ? errors[0] : error;
  return String((first as { readonly message?: unknown }).message);
}
