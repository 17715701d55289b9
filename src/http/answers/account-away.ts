import type { GraphQLFormattedError } from 'graphql';
import type { App } from '../../app.ts';
import { accountAwayOf, isAccountAway } from '../../platform/database/db.ts';
import { AccountAwayError, awayOf, type Away } from '../../platform/moves/known-moves.ts';
import type { Refused } from './replies.ts';
import { RETRY_HEADERS } from './unavailable.ts';

/** The header with the name of the cell that has the merchant account. A proxy sends the request there. */
const CELL_HEADER = 'x-paygraph-cell';

/** The code of an answer while a merchant account is on the way to another cell. The same request can succeed later. */
const ACCOUNT_MOVING = 'ACCOUNT_MOVING';

const MOVING_MESSAGE =
  'The merchant account moves to another cell at the moment. Send the request again in a few seconds, with the same idempotency key. A mutation may have begun.';

/** The refusal while a merchant account is on the way. */
const MOVING_REFUSAL: Refused = {
  status: 503,
  code: ACCOUNT_MOVING,
  message: MOVING_MESSAGE,
  headers: RETRY_HEADERS,
};

/** True if an error of an answer says that the merchant account is on the way. */
export const isMovingAnswer = ({ extensions }: Pick<GraphQLFormattedError, 'extensions'>): boolean =>
  extensions?.['code'] === ACCOUNT_MOVING;

/** Returns the refusal for a merchant account that this cell does not serve. The status is 421, or 503 before the opening. */
export const refusalOfAway = ({ state, cell }: Away): Refused =>
  state === 'arriving'
    ? MOVING_REFUSAL
    : {
        status: 421,
        code: 'ACCOUNT_MOVED',
        message:
          cell === null
            ? 'The merchant account has moved to another cell.'
            : `The merchant account has moved to the cell ${cell}.`,
        extensions: { cell },
        headers: cell === null ? {} : { [CELL_HEADER]: cell },
      };

/** Returns the refusal for work that met a move. Null for any other error. */
export function refusalOfMove(error: unknown): Refused | null {
  if (error instanceof AccountAwayError) return refusalOfAway(error.away);
  return isAccountAway(error) ? MOVING_REFUSAL : null;
}

/**
 * Returns the refusal of a webhook that the database refused because of a move. Null for any other error. A proxy sends the
 * webhook of an account that has left to its cell.
 */
export async function refusalOfMovedWebhook(
  app: Pick<App, 'db' | 'clock'>,
  error: unknown,
): Promise<Refused | null> {
  const account = accountAwayOf(error);
  const away = account === null ? null : await awayOf(app, account);
  return away ? refusalOfAway(away) : refusalOfMove(error);
}
