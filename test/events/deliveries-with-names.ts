import type { Viewer } from '../../src/app.ts';
import { query } from '../support/database.ts';

/** A delivery of a merchant account with the name of its event. */
export type NamedDelivery = {
  readonly endpointId: string;
  readonly state: string;
  readonly deadline: Date;
  readonly createdAt: Date;
  readonly name: string;
};

/** Lists the deliveries of a merchant account with their events, in the order of the log. */
export const deliveriesWithNames = (
  url: string,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
): Promise<readonly NamedDelivery[]> =>
  query<NamedDelivery>(
    url,
    `SELECT d.endpoint_id AS "endpointId", d.state, d.deadline, d.created_at AS "createdAt", e.name FROM delivery d JOIN event e USING (position)
     WHERE d.merchant_account_id = $1 ORDER BY position`,
    [merchantAccountId],
  );
