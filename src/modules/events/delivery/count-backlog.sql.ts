import { COUNTED_MAX, countingBy } from '../../../platform/database/counted-rows.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

/** The most endpoints with waiting deliveries that are counted. */
const ENDPOINTS_MAX = 1_000;

/** The most deliveries of one endpoint that are counted. With the endpoints, this bounds the time of the statement. */
const OF_ENDPOINT_MAX = COUNTED_MAX / 10;

const backlog = prepareFile(import.meta, 'count-backlog.sql');

/** Counts the waiting deliveries by the state of their endpoints, up to 1,000 of each endpoint. */
export const countBacklog = countingBy(() => backlog({ endpoints: ENDPOINTS_MAX, limit: OF_ENDPOINT_MAX }));
