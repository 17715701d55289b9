import { PAYLOAD_VERSION } from '../../event-log/index.ts';
import { jsonbText } from '../../../platform/input/metadata.ts';
import type { Transaction } from '../model/transaction.ts';
import type { EventChange, HistoryChange } from './changes.ts';

// In earlier releases Postgres wrote the texts of events. Consumers may compare texts, so these have its spaces.

export type Envelope = {
  readonly merchantAccountId: string;
  readonly environment: 'production' | 'sandbox';
  readonly createdAt: Date;
};

/** Writes the envelope of an event as `json_build_object` does. */
export const eventText = ({ id, name, target }: EventChange, envelope: Envelope): string =>
  built({
    version: PAYLOAD_VERSION,
    type: 'event',
    id,
    name,
    created_at: envelope.createdAt,
    merchant_account_id: envelope.merchantAccountId,
    environment: envelope.environment,
    target,
  });

/** Writes the context of a history entry. Its column is jsonb, so the database orders and spaces the fields. */
export const contextText = ({ context }: HistoryChange): string =>
  JSON.stringify(Object.fromEntries(Object.entries(context).filter(([, value]) => value !== null)));

const built = (fields: Readonly<Record<string, unknown>>): string =>
  `{${Object.entries(fields)
    .map(([field, value]) => `${JSON.stringify(field)} : ${valueText(field, value)}`)
    .join(', ')}}`;

function valueText(field: string, value: unknown): string {
  if (field === 'metadata') return jsonbText(value as Transaction['metadata']);
  if (Array.isArray(value)) return `[${value.map((each) => valueText('', each)).join(', ')}]`;
  if (value instanceof Date || value === null || typeof value !== 'object') return JSON.stringify(value);
  return built(value as Readonly<Record<string, unknown>>);
}
