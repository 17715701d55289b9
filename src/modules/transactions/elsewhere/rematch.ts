import type { App } from '../../../app.ts';
import { rematchSettlementsOf } from '../../settlements/index.ts';

type About = { readonly merchantAccountId: string; readonly transactionId: string };

/**
 * Lets the entries of settlements match a booking of their payment at once. Commits once, and never throws. Without this hint the
 * entries match at their own times.
 */
export const rematchSoon = (app: App, about: About): Promise<void> =>
  rematchSettlementsOf(app.db, about, app.clock.now()).catch((error: unknown) => {
    const { merchantAccountId, transactionId } = about;
    app.log.warn(
      { merchantAccountId, transactionId, err: error },
      'Settlements could not be matched at once.',
    );
  });
