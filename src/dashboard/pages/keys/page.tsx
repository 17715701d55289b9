import { useState } from 'react';
import { api } from '../../app/data/api.ts';
import { pageOf, rowsOf, usePages, type Ask, type RowOf } from '../../app/data/pages.ts';
import { useMay } from '../../app/session-context.tsx';
import { binder, TextField } from '../../design/form/field.tsx';
import { FormDialog, SecretDialog, type DialogProps } from '../../design/form/form-dialog.tsx';
import { columnsOf } from '../../design/list/columns.ts';
import { ListPage, useCreation } from '../../design/list/list-page.tsx';
import { MoreMenu } from '../../design/more-menu.tsx';
import { Empty, Pill } from '../../design/pieces.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.keys;

const KEY = {
  ...{ id: true, displayName: true, scopes: true, active: true, lastUsedAt: true, createdAt: true },
} as const;

/** Reads a page of the keys, newest first. */
async function readKeys({ after, signal }: Ask) {
  const { apiKeyPairs } = await api.query({ apiKeyPairs: [{ first: 50, after }, pageOf(KEY)] }, { signal });
  return rowsOf(apiKeyPairs);
}

/** A key that signs access tokens. */
type Key = RowOf<typeof readKeys>;

/** The keys with which backends sign their access tokens. */
export function Keys() {
  const list = usePages('keys', readKeys);
  const mayWrite = useMay('api-key-pairs.write');
  const [change, setChange] = useState<Change | null>(null);
  const { add, creating } = useCreation('api-key-pairs.write', words.add, (onClose) => (
    <CreateDialog onClose={onClose} onChanged={list.reload} />
  ));
  return (
    <ListPage
      title={words.title}
      actions={add}
      columns={mayWrite ? [...COLUMNS, ...actsColumn(setChange)] : COLUMNS}
      list={list}
      empty={
        <Empty icon="key" title={words.empty.title} actions={add}>
          {words.empty.text}
        </Empty>
      }
    >
      {creating}
      {change && <KeyDialog {...change} onClose={() => setChange(null)} onChanged={list.reload} />}
    </ListPage>
  );
}

const COLUMNS = columnsOf<Key>(words.column, {
  name: { track: [150, 1.2], place: 'title', show: ({ displayName }) => displayName },
  state: {
    ...{ track: [90, 0.6], place: 'state' },
    show: ({ active }) => (
      <Pill tone={active ? 'good' : 'calm'}>{active ? words.active : words.disabled}</Pill>
    ),
  },
  scopes: { track: [160, 2], place: 'note', show: ({ scopes }) => scopes.join(', ') },
  used: { track: [110, 0.8], show: ({ lastUsedAt: at }) => (at === null ? words.never : <Moment at={at} />) },
  created: { track: [110, 0.8], show: ({ createdAt }) => <Moment at={createdAt} /> },
});

const actsColumn = (onChange: (change: Change) => void) =>
  columnsOf<Key>(words.column, {
    acts: { track: 88, place: 'time', show: (pair) => <KeyMenu pair={pair} onChange={onChange} /> },
  });

type MenuProps = { readonly pair: Key; readonly onChange: (change: Change) => void };

const KeyMenu = ({ pair, onChange }: MenuProps) => (
  <MoreMenu
    label={words.acts(pair.displayName)}
    items={[
      { name: words.revoke, icon: 'clock', act: () => onChange({ pair, kind: 'revoke' }) },
      pair.active
        ? {
            ...{ name: words.disable, icon: 'cancel', isDanger: true },
            act: () => onChange({ pair, kind: 'disable' }),
          }
        : { name: words.enable, icon: 'tick', act: () => onChange({ pair, kind: 'enable' }) },
    ]}
  />
);

/** Creates a key with scopes, and shows its private half once. */
function CreateDialog({ onClose, onChanged }: DialogProps) {
  const [values, setValues] = useState({ name: '', scopes: 'transactions.write *.read' });
  const [secret, setSecret] = useState<string | null>(null);
  const bind = binder(values, setValues);
  const scopes = values.scopes.split(/[\s,]+/).filter(Boolean);
  const input = { displayName: values.name.trim(), scopes };
  const { title, text, rotate, done } = words.secret;
  if (secret !== null) return <SecretDialog {...{ title, text, secret, done, onClose }} note={rotate} />;
  return (
    <FormDialog
      title={words.add}
      submit={words.add}
      isReady={input.displayName !== '' && scopes.length > 0}
      run={(idempotencyKey) =>
        api.mutate({ createApiKeyPair: [{ input, idempotencyKey }, { privateKey: true }] })
      }
      // An earlier answer may have had the key, and was lost.
      onDone={({ createApiKeyPair }) => setSecret(createApiKeyPair.privateKey ?? '')}
      onChanged={onChanged}
      onClose={onClose}
    >
      <TextField {...bind('name')} label={words.name} autoFocus required />
      <TextField {...bind('scopes')} label={words.scopes} hint={words.scopesHint} required />
    </FormDialog>
  );
}

/** A change of a key that waits for its confirmation. */
type Change = { readonly pair: Key; readonly kind: 'disable' | 'enable' | 'revoke' };

/** Confirms a change of a key. */
function KeyDialog({ pair: { id, displayName }, kind, ...ends }: Change & DialogProps) {
  const input =
    kind === 'revoke' ? { tokensNotBefore: new Date().toISOString() } : { active: kind === 'enable' };
  return (
    <FormDialog
      title={words[kind]}
      submit={words[kind]}
      look={kind === 'enable' ? 'primary' : 'danger'}
      run={() => api.mutate({ updateApiKeyPair: [{ id, input }, { apiKeyPair: { id: true } }] })}
      {...ends}
    >
      <p>
        <strong>{displayName}</strong>
      </p>
      <p className="quiet">{words.confirm[kind]}</p>
    </FormDialog>
  );
}
