import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { isUuid, systemIds } from '../../src/platform/ids.ts';
import type { Recording, Sent } from './money-statements.ts';

/** Carries an operation out by nothing but its recorded claim and settle, on one connection; answers the transaction. */
export type Replay = (client: pg.Client, transactionId: string) => Promise<void>;

/**
 * Makes the limit of one kind of operation: the statements that the service sent to claim and to settle it, sent again by
 * the bare driver with fresh values. Throws when either writes nothing, for then it was no operation.
 */
export function replayOf(recording: Recording): Replay {
  const statements = recording.sent.filter(({ name }) => /^(claim|settle)_/.test(name));
  if (statements.length !== 2) throw new Error('An operation is one claim and one settle.');
  const templates = statements.map((sent) => ({ sent, fill: filler(sent, recording) }));
  return async (client, transactionId) => {
    const fresh: Fresh = { ids: new Map([[recording.transactionId, transactionId]]), key: randomUUID() };
    for (const { sent, fill } of templates) {
      const { rows } = await client.query({ name: sent.name, text: sent.text, values: fill(fresh) });
      if (rows.length !== 1) throw new Error(`${sent.name} wrote nothing.`);
    }
  };
}

/** What is new in a repeat: an id for each that the operation made, and a key. */
type Fresh = { readonly ids: Map<string, string>; readonly key: string };

/** How the values of a statement are made anew; what to do with each is decided once. */
function filler({ values }: Sent, recording: Recording): (fresh: Fresh) => unknown[] {
  const makers = values.map((value) => makerOf(value, recording));
  return (fresh) => makers.map((make) => make(fresh));
}

function makerOf(value: unknown, recording: Recording): (fresh: Fresh) => unknown {
  const { startedAt, transactionId, idempotencyKey } = recording;
  if (value instanceof Date) {
    const laterMs = value.getTime() - startedAt.getTime();
    return () => new Date(Date.now() + laterMs);
  }
  if (typeof value !== 'string') return () => value;
  if (value === idempotencyKey) return ({ key }) => key;
  if (REFERENCE.test(value)) return () => value.slice(0, 4) + randomBytes(12).toString('hex');
  const isNew = isUuid(value) && (value === transactionId || madeAt(value) >= startedAt.getTime());
  return isNew ? ({ ids }) => freshId(ids, value) : () => value;
}

/** The built-in provider's ids. */
const REFERENCE = /^(pay|cap|ref|vod)_[0-9a-f]{24}$/;

/** A UUID v7 begins with its millisecond. */
const madeAt = (uuid: string): number => parseInt(uuid.replace('-', '').slice(0, 12), 16);

function freshId(ids: Map<string, string>, recorded: string): string {
  let id = ids.get(recorded);
  if (id === undefined) {
    id = systemIds.uuid();
    ids.set(recorded, id);
  }
  return id;
}
