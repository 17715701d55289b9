import { useState } from 'react';
import { useSaidAct } from '../../app/data/act.ts';
import { api } from '../../app/data/api.ts';
import { usePages } from '../../app/data/pages.ts';
import { PageHead } from '../../app/frame/shell.tsx';
import { useMay, useSession } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { columnsOf } from '../../design/list/columns.ts';
import { useCreation } from '../../design/list/list-page.tsx';
import { Table } from '../../design/list/table.tsx';
import { MoreMenu } from '../../design/more-menu.tsx';
import { Empty, Pill, pillOf } from '../../design/pieces.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { InviteDialog, PersonDialog, type Change } from './dialogs.tsx';
import { readPeople, readSessions, type OpenSession, type Person } from './query.ts';

const words = texts.team;

const State = pillOf<Person['state']>(words.state, { INVITED: 'wait', ACTIVE: 'good', SUSPENDED: 'bad' });

/** The people of the merchant account, with their sessions. */
export function Team() {
  const people = usePages('people', readPeople);
  const sessions = usePages('sessions', readSessions);
  const mayWrite = useMay('dashboard-people.write');
  const [change, setChange] = useState<Change | null>(null);
  const reload = (): void => [people, sessions].forEach((each) => each.reload());
  const { add, creating } = useCreation('dashboard-people.write', words.invite, (onClose) => (
    <InviteDialog onClose={onClose} onChanged={reload} />
  ));
  return (
    <>
      <PageHead title={words.title}>{add}</PageHead>
      <Table
        label={words.people}
        columns={usePeopleColumns(mayWrite, setChange)}
        list={people}
        empty={
          <Empty icon="shield" title={words.empty.title} actions={add}>
            {words.empty.text}
          </Empty>
        }
      />
      <h2 className="table-title">{words.sessions}</h2>
      <Table
        label={words.sessions}
        columns={useSessionColumns(mayWrite, reload)}
        list={sessions}
        empty={null}
      />
      {creating}
      {change && <PersonDialog {...change} onClose={() => setChange(null)} onChanged={reload} />}
    </>
  );
}

function waysOf({ usesIdentityProvider, hasPassword, passkeyCount }: Person): string {
  if (usesIdentityProvider) return words.provider;
  const ways = [
    ...(hasPassword ? [words.password] : []),
    ...(passkeyCount > 0 ? [words.passkeys(passkeyCount)] : []),
  ];
  return ways.join(', ') || words.nothing;
}

const PEOPLE = columnsOf<Person>(words.column, {
  email: { track: [180, 2], place: 'title', show: ({ email }) => email },
  role: {
    ...{ track: [90, 0.7], place: 'note' },
    show: ({ role }) => texts.account.role[role.toLowerCase() as keyof typeof texts.account.role],
  },
  state: { track: [100, 0.7], place: 'state', show: ({ state }) => <State of={state} /> },
  ways: { track: [130, 1.3], show: waysOf },
  signedIn: {
    track: [144, 0.8],
    show: ({ signedInAt }) => (signedInAt === null ? words.never : <Moment at={signedInAt} />),
  },
});

function usePeopleColumns(mayWrite: boolean, onChange: (change: Change) => void) {
  const { personId } = useSession();
  const acts = columnsOf<Person>(words.column, {
    acts: {
      ...{ track: 88, place: 'time' },
      show: (person) => person.id !== personId && <PersonMenu {...{ person, onChange }} />,
    },
  });
  return mayWrite ? [...PEOPLE, ...acts] : PEOPLE;
}

type MenuProps = { readonly person: Person; readonly onChange: (change: Change) => void };

function PersonMenu({ person, onChange }: MenuProps) {
  const isSuspended = person.state === 'SUSPENDED';
  const local = [
    { name: words.changeRole, icon: 'shield', act: () => onChange({ person, kind: 'role' }) },
    { name: words.again, icon: 'sync', act: () => onChange({ person, kind: 'again' }) },
  ] as const;
  const state = isSuspended
    ? ({ name: words.resume, icon: 'tick', act: () => onChange({ person, kind: 'resume' }) } as const)
    : ({
        name: words.suspend,
        icon: 'cancel',
        isDanger: true,
        act: () => onChange({ person, kind: 'suspend' }),
      } as const);
  return (
    <MoreMenu
      label={words.acts(person.email)}
      items={[...(person.usesIdentityProvider ? [] : local), state]}
    />
  );
}

function useSessionColumns(mayWrite: boolean, reload: () => void) {
  const { run } = useSaidAct(reload);
  const end = (id: string): void =>
    run(() => api.mutate({ endDashboardSession: [{ id }, { session: { id: true } }] }), words.ended);
  return columnsOf<OpenSession>(words.column, {
    person: { track: [150, 1.4], place: 'title', show: ({ person }) => person },
    ways: { track: [160, 1.2], show: ({ signedInWith }) => words.way[signedInWith] },
    browser: { track: [110, 1], place: 'note', show: ({ userAgent }) => browserOf(userAgent ?? '') },
    address: { track: [100, 0.8], show: ({ address }) => address },
    since: { track: [110, 0.8], place: 'time', show: ({ createdAt }) => <Moment at={createdAt} /> },
    acts: {
      ...{ track: 184, place: 'state' },
      show: ({ id, isCurrent }) => {
        if (isCurrent) return <Pill tone="info">{words.current}</Pill>;
        return mayWrite && <Button onPress={() => end(id)}>{words.end}</Button>;
      },
    },
  });
}

/** Names the browser and the system of a text such as `Mozilla/5.0 (X11; Linux) … Firefox/140.0`. */
function browserOf(userAgent: string): string {
  const browser = /\b(Edg|OPR|Firefox|Chrome|Safari)\//.exec(userAgent)?.[1];
  const system = /\b(Windows|Android|iPhone|iPad|Mac OS X|Linux)\b/.exec(userAgent)?.[1];
  const name = browser === 'Edg' ? 'Edge' : browser === 'OPR' ? 'Opera' : browser;
  return [name, system].filter(Boolean).join(', ') || words.unknownBrowser;
}
