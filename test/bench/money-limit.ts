import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { isUuid, systemIds } from '../../src/platform/ids.ts';
import { preparedTexts } from '../../src/platform/database/statement.ts';
import type { Recording, Sent } from './money-statements.ts';

/** Carries out an operation with its recorded claim and settle only, on one connection. Returns the transaction. */
export type Replay = (client: pg.Client, transactionId: string) => Promise<void>;

/**
 * Builds the limit for one kind of operation. The bare driver repeats the recorded statements of claim and settle
 * with fresh values. Throws when either statement writes nothing, because then no operation has happened.
 */
export function replayOf(recording: Recording): Replay {
  const statements = recording.sent.filter(({ name }) => /^(claim|settle)_/.test(name));
  if (statements.length !== 2) throw new Error('An operation is one claim and one settle.');
  const templates = statements.map((sent) => ({ sent, fill: filler(sent, recording) }));
  return async (client, transactionId) => {
    const ids = new Map([[recording.transactionId, transactionId]]);
    const fresh: Fresh = { ids, key: randomUUID(), version: null };
    for (const { sent, fill } of templates) {
      const { rows } = await client.query<{ version?: string }>({
        ...{ name: sent.name, text: sent.text, values: fill(fresh) },
      });
      if (rows.length !== 1) throw new Error(`${sent.name} wrote nothing.`);
      fresh.version = rows[0]?.version ?? null;
    }
  };
}

/**
 * The new values of a repeat: the created ids, a key, and the version after the claim.
 */
type Fresh = { readonly ids: Map<string, string>; readonly key: string; version: string | null };

/** Decides once how to refresh each value of a statement. */
function filler({ name, values }: Sent, recording: Recording): (fresh: Fresh) => unknown[] {
  const { parameters = [] } = preparedTexts().find((statement) => statement.name === name) ?? {};
  const makers = values.map((value, index) =>
    parameters[index] === 'version' ? ({ version }: Fresh) => version : makerOf(value, recording),
  );
  return (fresh) => makers.map((make) => make(fresh));
}

function makerOf(value: unknown, recording: Recording): (fresh: Fresh) => unknown {
  const { startedAt, transactionId, idempotencyKey } = recording;
  if (value instanceof Date) {
    const laterMs = value.getTime() - startedAt.getTime();
    return () => new Date(Date.now() + laterMs);
  }
  if (Array.isArray(value)) {
    const makers = value.map((one) => makerOf(one, recording));
    return (fresh) => makers.map((make) => make(fresh));
  }
  if (typeof value !== 'string') return () => value;
  if (value === idempotencyKey) return ({ key }) => key;
  if (REFERENCE.test(value)) return () => value.slice(0, 4) + randomBytes(12).toString('hex');
  const isNew = (id: string): boolean => id === transactionId || madeAt(id) >= startedAt.getTime();
  if (isUuid(value)) return isNew(value) ? ({ ids }) => freshId(ids, value) : () => value;
  // The text of an event, or the context of a history entry.
  return value.startsWith('{')
    ? ({ ids }) => value.replace(UUID, (id) => (isNew(id) ? freshId(ids, id) : id))
    : () => value;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Ids of the built-in provider. */
const REFERENCE = /^(pay|cap|ref|vod)_[0-9a-f]{24}$/;

/** Returns the millisecond at the start of a UUID v7. */
const madeAt = (uuid: string): number => parseInt(uuid.replace('-', '').slice(0, 12), 16);

function freshId(ids: Map<string, string>, recorded: string): string {
  let id = ids.get(recorded);
  if (id === undefined) {
    id = systemIds.uuid();
    ids.set(recorded, id);
  }
  return id;
}
