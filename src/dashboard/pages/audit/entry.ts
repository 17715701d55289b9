import type { AuditEntry } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';

/** The selection of an entry. */
export const ENTRY = {
  ...{ id: true, action: true, before: true, after: true, createdAt: true },
  target: { type: true, id: true },
  actor: { kind: true, id: true, subject: true, address: true },
} as const;

/** A change with its cause. */
export type Entry = Answer<AuditEntry, typeof ENTRY>;

/** Lists the fields of a change. */
export const namesOf = ({ before, after }: Entry): readonly string[] => [
  ...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]),
];

/** Writes the changed fields in one line, such as `role: support → owner`. */
export const changeOf = (entry: Entry): string =>
  namesOf(entry)
    .map((name) => {
      const { before, after } = entry;
      const [was, is] = [shown(before?.[name]), shown(after?.[name])];
      if (before === null || was === '') return `${name}: ${is}`;
      return after === null ? `${name}: ${was}` : `${name}: ${was} → ${is}`;
    })
    .join(', ');

/** Writes the value of a field. An absent value is empty. */
export const shown = (value: unknown): string =>
  value == null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
