import { useState } from 'react';
import { api } from '../../app/api.ts';
import { PAGE_INFO, rowsOf, usePages, type Rows } from '../../app/pages.ts';
import { PageHead } from '../../app/shell.tsx';
import { TextField } from '../../design/field.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Table, type Column } from '../../design/table.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Detail } from './detail.tsx';
import { changeOf, ENTRY, type Entry } from './entry.ts';

const words = texts.audit;

type Filter = {
  readonly action: string;
  readonly targetId: string;
  readonly actor: string;
  readonly actorSubject: string;
};

const NO_FILTER: Filter = { action: '', targetId: '', actor: '', actorSubject: '' };

/** The changes of the merchant account, with who made them. Each opens to its fields. */
export function Audit() {
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const list = usePages(JSON.stringify(filter), (after, signal) => readEntries(filter, after, signal));
  const set = (name: keyof Filter) => (value: string) => setFilter({ ...filter, [name]: value });
  return (
    <>
      <PageHead title={words.title} />
      <div className="audit-filter">
        <TextField label={words.filter.action} value={filter.action} onChange={set('action')} />
        <TextField label={words.filter.target} value={filter.targetId} onChange={set('targetId')} />
        <TextField
          label={words.filter.subject}
          maxLength={255}
          value={filter.actorSubject}
          onChange={set('actorSubject')}
        />
        <TextField label={words.filter.actor} value={filter.actor} onChange={set('actor')} />
      </div>
      <Table
        label={words.title}
        columns={COLUMNS}
        list={list}
        detail={(entry) => <Detail entry={entry} />}
        empty={
          <Empty icon="search" title={words.empty.title}>
            {words.empty.text}
          </Empty>
        }
      />
    </>
  );
}

/** Reads a page of the entries, newest first. */
async function readEntries(filter: Filter, after: string | null, signal: AbortSignal): Promise<Rows<Entry>> {
  const given = Object.fromEntries(
    Object.entries(filter)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );
  const selection = { nodes: ENTRY, pageInfo: PAGE_INFO };
  const { auditLog } = await api.query(
    { auditLog: [{ first: 50, after, filter: given }, selection] },
    { signal },
  );
  return rowsOf(auditLog);
}

const COLUMNS: readonly Column<Entry>[] = [
  {
    name: 'action',
    label: words.column.action,
    track: 'minmax(210px, 1.7fr)',
    place: 'title',
    show: ({ action }) => action,
  },
  {
    name: 'actor',
    label: words.column.actor,
    track: 'minmax(140px, 0.9fr)',
    place: 'note',
    show: ({ actor: { kind, subject, id } }) => `${subject ?? id ?? ''} (${words.actor[kind]})`,
  },
  {
    name: 'target',
    label: words.column.target,
    track: 'minmax(170px, 1.2fr)',
    show: ({ target }) => `${target.type} ${target.id.slice(-12)}`,
  },
  {
    name: 'fields',
    label: words.column.before,
    track: 'minmax(140px, 1.5fr)',
    show: changeOf,
  },
  {
    name: 'at',
    label: words.column.at,
    track: '150px',
    place: 'time',
    show: ({ createdAt }) => <Moment at={createdAt} seconds />,
  },
];
