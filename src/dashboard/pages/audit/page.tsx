import { useState } from 'react';
import { api } from '../../app/data/api.ts';
import { pageOf, rowsOf, usePages, type Ask } from '../../app/data/pages.ts';
import { binder, TextField } from '../../design/form/field.tsx';
import { columnsOf } from '../../design/list/columns.ts';
import { ListPage } from '../../design/list/list-page.tsx';
import { Empty } from '../../design/pieces.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Detail } from './detail.tsx';
import { changeOf, ENTRY, type Entry } from './entry.ts';

const words = texts.audit;

const NO_FILTER = { action: '', targetId: '', actor: '', actorSubject: '' };

/** The changes of the merchant account, with who made them. Each opens to its fields. */
export function Audit() {
  const [filter, setFilter] = useState(NO_FILTER);
  const list = usePages(JSON.stringify(filter), (ask) => readEntries(filter, ask));
  const bind = binder(filter, setFilter);
  return (
    <ListPage
      title={words.title}
      columns={COLUMNS}
      list={list}
      detail={(entry) => <Detail entry={entry} />}
      empty={
        <Empty icon="search" title={words.empty.title}>
          {words.empty.text}
        </Empty>
      }
    >
      <div className="audit-filter">
        <TextField {...bind('action')} label={words.filter.action} />
        <TextField {...bind('targetId')} label={words.filter.target} />
        <TextField {...bind('actorSubject')} label={words.filter.subject} maxLength={255} />
        <TextField {...bind('actor')} label={words.filter.actor} />
      </div>
    </ListPage>
  );
}

/** Reads a page of the entries, newest first. */
async function readEntries(typed: typeof NO_FILTER, { after, signal }: Ask) {
  const values = Object.entries(typed).map(([name, value]) => [name, value.trim()] as const);
  const filter = Object.fromEntries(values.filter(([, value]) => value !== ''));
  const { auditLog } = await api.query(
    { auditLog: [{ first: 50, after, filter }, pageOf(ENTRY)] },
    { signal },
  );
  return rowsOf(auditLog);
}

const COLUMNS = columnsOf<Entry>(words.column, {
  action: { track: [210, 1.7], place: 'title', show: ({ action }) => action },
  actor: {
    ...{ track: [140, 0.9], place: 'note' },
    show: ({ actor: { kind, subject, id } }) => `${subject ?? id ?? ''} (${words.actor[kind]})`,
  },
  target: { track: [170, 1.2], show: ({ target }) => `${target.type} ${target.id.slice(-12)}` },
  before: { track: [140, 1.5], show: changeOf },
  at: { track: 150, place: 'time', show: ({ createdAt }) => <Moment at={createdAt} seconds /> },
});
