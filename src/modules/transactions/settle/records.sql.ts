import { ACTOR } from '../../../platform/database/acting.ts';
import { eventExpressions } from '../../event-log/index.ts';
import type { EventChange, HistoryChange } from './changes.ts';
import { contextText, eventText, type Envelope } from './event-text.ts';

// The expressions that write the records of a change: events and history. They read the written operation, `settled`.

/** Publishes the events. */
export const EVENTS = `
  event_rows AS (
    SELECT s.merchant_account_id, e.*, @now::timestamptz AS created_at
    FROM settled s CROSS JOIN unnest(@eventIds::uuid[], @eventNames::text[], @targetTypes::text[], @targetIds::text[],
      @payloads::text[]) AS e (event_id, event_name, target_type, target_id, payload)),
  ${eventExpressions('event_rows')}`;

/** Writes the history entry. */
export const HISTORY = `
  history_written AS (
    INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
    SELECT s.merchant_account_id, @historyId::uuid, s.transaction_id, @historyName, @historyContext::jsonb,
      ${ACTOR}::jsonb, @now FROM settled s)`;

type Records = { readonly events: readonly EventChange[]; readonly history: HistoryChange };

/** Returns the values of the parameters that the expressions name. */
export const recordValues = ({ events, history }: Records, envelope: Envelope) => ({
  eventIds: events.map(({ id }) => id),
  eventNames: events.map(({ name }) => name),
  targetTypes: events.map(({ target }) => target.type),
  targetIds: events.map(({ target }) => target.id),
  payloads: events.map((event) => eventText(event, envelope)),
  historyId: history.id,
  historyName: history.name,
  historyContext: contextText(history),
});
