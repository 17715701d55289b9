import { useState } from 'react';
import { usePages } from '../../app/pages.ts';
import { useMay } from '../../app/session-context.tsx';
import { PageHead } from '../../app/shell.tsx';
import { Button } from '../../design/button.tsx';
import { MoreMenu } from '../../design/more-menu.tsx';
import { Empty, Pill } from '../../design/pieces.tsx';
import { Table, type Column } from '../../design/table.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { CreateDialog, KeyDialog, SecretDialog, type Change } from './dialogs.tsx';
import { readKeys, type Key } from './query.ts';

const words = texts.keys;

/** The keys with which backends sign their access tokens. */
export function Keys() {
  const list = usePages('keys', readKeys);
  const mayWrite = useMay('api-key-pairs.write');
  const [isCreating, setCreating] = useState(false);
  const [change, setChange] = useState<Change | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const add = mayWrite && (
    <Button icon="plus" look="primary" onPress={() => setCreating(true)}>
      {words.add}
    </Button>
  );
  const show = (privateKey: string): void => {
    setSecret(privateKey);
    list.reload();
  };
  return (
    <>
      <PageHead title={words.title}>{add}</PageHead>
      <Table
        label={words.title}
        columns={mayWrite ? [...COLUMNS, actsColumn(setChange)] : COLUMNS}
        list={list}
        empty={
          <Empty icon="key" title={words.empty.title} actions={add}>
            {words.empty.text}
          </Empty>
        }
      />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} onCreated={show} />}
      {change && <KeyDialog change={change} onClose={() => setChange(null)} onDone={list.reload} />}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}

const COLUMNS: readonly Column<Key>[] = [
  {
    name: 'name',
    label: words.column.name,
    track: 'minmax(150px, 1.2fr)',
    place: 'title',
    show: ({ displayName }) => displayName,
  },
  {
    name: 'state',
    label: words.column.state,
    track: 'minmax(90px, 0.6fr)',
    place: 'state',
    show: ({ active }) => (
      <Pill tone={active ? 'good' : 'calm'}>{active ? words.active : words.disabled}</Pill>
    ),
  },
  {
    name: 'scopes',
    label: words.column.scopes,
    track: 'minmax(160px, 2fr)',
    place: 'note',
    show: ({ scopes }) => scopes.join(', '),
  },
  {
    name: 'used',
    label: words.column.used,
    track: 'minmax(110px, 0.8fr)',
    show: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : <Moment at={lastUsedAt} />),
  },
  {
    name: 'created',
    label: words.column.created,
    track: 'minmax(110px, 0.8fr)',
    show: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

const actsColumn = (onChange: (change: Change) => void): Column<Key> => ({
  name: 'acts',
  label: words.column.acts,
  track: '88px',
  place: 'time',
  show: (pair) => (
    <MoreMenu
      label={words.acts(pair.displayName)}
      items={[
        { name: words.revoke, icon: 'clock', act: () => onChange({ pair, kind: 'revoke' }) },
        pair.active
          ? {
              name: words.disable,
              icon: 'cancel',
              isDanger: true,
              act: () => onChange({ pair, kind: 'disable' }),
            }
          : { name: words.enable, icon: 'tick', act: () => onChange({ pair, kind: 'enable' }) },
      ]}
    />
  ),
});
