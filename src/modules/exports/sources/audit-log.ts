import { ok } from '../../../kernel/result.ts';
import { listAuditEntries, type AuditEntry } from '../../audit/index.ts';
import { field, fromOldest, oldestFirst, pageOf, sourceOf } from './source.ts';

/** Entries of the audit log, oldest first. */
export const auditLog = sourceOf<AuditEntry>({
  scope: 'audit.read',
  columns: [
    field('id', ({ id }) => id),
    field('sequence', ({ sequence }) => (sequence === null ? null : Number(sequence))),
    field('action', ({ action }) => action),
    field('target_type', ({ target }) => target.type),
    field('target_id', ({ target }) => target.id, 'text'),
    field('actor_kind', ({ actor }) => actor.kind),
    field('actor_id', ({ actor }) => actor.id, 'text'),
    field('actor_subject', ({ actor }) => actor.subject ?? null, 'text'),
    field('actor_act', ({ actor }) => actor.act ?? null, 'text'),
    field('actor_address', ({ actor }) => actor.address ?? null),
    field('request_id', ({ actor }) => actor.requestId ?? null, 'text'),
    field('before', ({ before }) => before && JSON.stringify(before), 'json'),
    field('after', ({ after }) => after && JSON.stringify(after), 'json'),
    field('hash', ({ hash }) => hash),
    field('created_at', ({ createdAt }) => createdAt),
  ],
  readPage: async (app, reading) => {
    const listed = await listAuditEntries(app, reading, fromOldest(reading), reading.filter);
    return ok(oldestFirst(pageOf(listed)));
  },
  positionOf: ({ id }) => id,
});
