import { HEADERS, type BrokerMessage } from '../../../platform/brokers/broker.ts';
import type { FeedEvent } from '../feed/feed-event.ts';

/** The version stands in the published text behind the sequence. */
const VERSION = /^{"sequence":\d+,"version" ?: ?(\d+)/;

/** Returns the message of an event. Its body is the text of a webhook, byte for byte. */
export const brokerMessage = (event: FeedEvent): BrokerMessage => ({
  merchantAccountId: event.merchantAccountId,
  sequence: event.sequence,
  id: event.id,
  name: event.name,
  body: event.payload,
  headers: {
    [HEADERS.id]: event.id,
    [HEADERS.name]: event.name,
    [HEADERS.sequence]: String(event.sequence),
    [HEADERS.cursor]: event.cursor,
    [HEADERS.version]: VERSION.exec(event.payload)?.[1] ?? '',
  },
});
