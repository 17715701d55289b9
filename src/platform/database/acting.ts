import { isIP } from 'node:net';
import { queryIn, type Db } from './db.ts';
import { traceparent } from '../tracing/trace.ts';
import { type Statement, prepareFile } from './statement.ts';

/** The cause of changes, as the audit log names it. */
export type Actor = {
  /**
   * - `api_key`: a request with an access token.
   * - `person`: a person who is signed in at the dashboard.
   * - `buyer`: a buyer on a page.
   * - `provider`: a notice of a payment service or anti-fraud service.
   * - `system`: background work.
   * - `command`: a command line tool.
   * - `database`: a statement that Paygraph did not send.
   */
  readonly kind: 'api_key' | 'person' | 'buyer' | 'provider' | 'system' | 'command' | 'database';
  /** The id of the key pair, person or service, or the name of the work or command. The visitor of a sandbox has a session alone. */
  readonly id: string | null;
  /** The claim `sub` of the token, or the name of the person. */
  readonly subject?: string | null;
  /** The claim `act` of the token, as JSON text. */
  readonly act?: string | null;
  readonly address?: string | null;
  readonly requestId?: string | null;
  /** The merchant account of the request. The entry of a record of the whole instance goes there. */
  readonly merchantAccountId?: string | null;
  /** The place in the trace of the change, for a webhook or an inquiry that is about the change later. */
  readonly traceparent?: string;
};

/**
 * The SQL expression of the actor of the running statement, as JSON text or null. The parameter `actor` gets its value
 * from the database handle of `actingOn`.
 */
export const ACTOR = `coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))`;

/**
 * A condition of the last SELECT of a statement. The condition is always true, and tells the triggers of the audit log
 * the actor. They run at the end of the statement.
 */
export const ACTS = `set_config('paygraph.actor', coalesce(@actor::text, current_setting('paygraph.actor', true), ''), true)
  IS NOT NULL`;

const announce = prepareFile(import.meta, 'audit-actor.sql');

/**
 * Returns an app with the same parts, whose changes have this actor. A later actor replaces an earlier one.
 */
export function actingAs<Given extends { readonly db: Db }>(app: Given, actor: Actor): Given {
  const acting = Object.create(app, { db: { value: actingOn(app.db, actor), enumerable: true } }) as Given;
  origins.set(acting, originOf(app));
  return acting;
}

function actingOn(db: Db, actor: Actor): Db {
  const { address = null } = actor;
  // A proxy may name anything as the address.
  const text = JSON.stringify({ ...actor, address: address !== null && isIP(address) > 0 ? address : null });
  const acting: Db = {
    ...db,
    query: (statement) => db.query(withActor(statement, text)),
    transaction: (run) =>
      db.transaction(async (tx) => {
        await queryIn(tx).query(withActor(announce({}), text));
        return await run(tx);
      }),
  };
  origins.set(acting, originOf(db));
  return acting;
}

function withActor(statement: Statement, actor: string): Statement {
  const { actorAt = null } = statement;
  if (actorAt === null || statement.values[actorAt] !== null) return statement;
  return { ...statement, values: statement.values.with(actorAt, inTrace(actor)) };
}

/** Adds the place in the running trace. The actor of a background loop acts in many traces. */
function inTrace(actor: string): string {
  const place = traceparent();
  return place === null ? actor : `${actor.slice(0, -1)},"traceparent":"${place}"}`;
}

const origins = new WeakMap<object, object>();

/** Returns the app or database without its actor. Caches have that object as their key. */
export const originOf = <Given extends object>(given: Given): Given => (origins.get(given) ?? given) as Given;
