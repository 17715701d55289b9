import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { usePages } from '../../app/pages.ts';
import { useMay, useSession } from '../../app/session-context.tsx';
import { PageHead } from '../../app/shell.tsx';
import { Button } from '../../design/button.tsx';
import { MoreMenu } from '../../design/more-menu.tsx';
import { Empty, Pill, type Tone } from '../../design/pieces.tsx';
import { Table, type Column } from '../../design/table.tsx';
import { useToast } from '../../design/toast.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { InvitationDialog, InviteDialog, PersonDialog, type Change } from './dialogs.tsx';
import { endSession, readPeople, readSessions, type OpenSession, type Person } from './query.ts';

const words = texts.team;

const TONES: Readonly<Record<Person['state'], Tone>> = { INVITED: 'wait', ACTIVE: 'good', SUSPENDED: 'bad' };

/** The people of the merchant account, with their sessions. */
export function Team() {
  const people = usePages('people', readPeople);
  const sessions = usePages('sessions', readSessions);
  const mayWrite = useMay('dashboard-people.write');
  const [isInviting, setInviting] = useState(false);
  const [change, setChange] = useState<Change | null>(null);
  const [invitation, setInvitation] = useState<string | null>(null);
  const reload = (): void => {
    people.reload();
    sessions.reload();
  };
  const invite = mayWrite && (
    <Button icon="plus" look="primary" onPress={() => setInviting(true)}>
      {words.invite}
    </Button>
  );
  const show = (url: string | null): void => {
    setInvitation(url);
    reload();
  };
  return (
    <>
      <PageHead title={words.title}>{invite}</PageHead>
      <Table
        label={words.people}
        columns={usePeopleColumns(mayWrite, setChange)}
        list={people}
        empty={
          <Empty icon="shield" title={words.empty.title} actions={invite}>
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
      {isInviting && <InviteDialog onClose={() => setInviting(false)} onInvited={show} />}
      {change && <PersonDialog change={change} onClose={() => setChange(null)} onDone={show} />}
      {invitation !== null && <InvitationDialog url={invitation} onClose={() => setInvitation(null)} />}
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

function usePeopleColumns(mayWrite: boolean, onChange: (change: Change) => void): readonly Column<Person>[] {
  const { personId } = useSession();
  return [
    {
      name: 'email',
      label: words.column.email,
      track: 'minmax(180px, 2fr)',
      place: 'title',
      show: ({ email }) => email,
    },
    {
      name: 'role',
      label: words.column.role,
      track: 'minmax(90px, 0.7fr)',
      place: 'note',
      show: ({ role }) => texts.account.role[role.toLowerCase() as keyof typeof texts.account.role],
    },
    {
      name: 'state',
      label: words.column.state,
      track: 'minmax(100px, 0.7fr)',
      place: 'state',
      show: ({ state }) => <Pill tone={TONES[state]}>{words.state[state]}</Pill>,
    },
    { name: 'ways', label: words.column.ways, track: 'minmax(130px, 1.3fr)', show: waysOf },
    {
      name: 'signedIn',
      label: words.column.signedIn,
      track: 'minmax(144px, 0.8fr)',
      show: ({ signedInAt }) => (signedInAt === null ? words.never : <Moment at={signedInAt} />),
    },
    ...(mayWrite
      ? [
          {
            name: 'acts',
            label: words.column.acts,
            track: '88px',
            place: 'time' as const,
            show: (person: Person) => person.id !== personId && <PersonMenu {...{ person, onChange }} />,
          },
        ]
      : []),
  ];
}

function PersonMenu({
  person,
  onChange,
}: {
  readonly person: Person;
  readonly onChange: (change: Change) => void;
}) {
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

function useSessionColumns(mayWrite: boolean, reload: () => void): readonly Column<OpenSession>[] {
  const toast = useToast();
  const act = useAct();
  const end = (id: string): void =>
    act.run(
      () => endSession(id),
      () => {
        toast('good', words.ended);
        reload();
      },
    );
  return [
    {
      name: 'person',
      label: words.column.person,
      track: 'minmax(150px, 1.4fr)',
      place: 'title',
      show: ({ person }) => person,
    },
    {
      name: 'ways',
      label: words.column.ways,
      track: 'minmax(160px, 1.2fr)',
      show: ({ signedInWith }) => words.way[signedInWith],
    },
    {
      name: 'browser',
      label: words.column.browser,
      track: 'minmax(110px, 1fr)',
      place: 'note',
      show: ({ userAgent }) => browserOf(userAgent ?? ''),
    },
    {
      name: 'address',
      label: words.column.address,
      track: 'minmax(100px, 0.8fr)',
      show: ({ address }) => address,
    },
    {
      name: 'since',
      label: words.column.since,
      track: 'minmax(110px, 0.8fr)',
      place: 'time',
      show: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      name: 'end',
      label: words.column.acts,
      track: '184px',
      place: 'state',
      show: ({ id, isCurrent }) => {
        if (isCurrent) return <Pill tone="info">{words.current}</Pill>;
        return mayWrite && <Button onPress={() => end(id)}>{words.end}</Button>;
      },
    },
  ];
}

/** Names the browser and the system of a text such as `Mozilla/5.0 (X11; Linux) … Firefox/140.0`. */
function browserOf(userAgent: string): string {
  const browser = /\b(Edg|OPR|Firefox|Chrome|Safari)\//.exec(userAgent)?.[1];
  const system = /\b(Windows|Android|iPhone|iPad|Mac OS X|Linux)\b/.exec(userAgent)?.[1];
  const name = browser === 'Edg' ? 'Edge' : browser === 'OPR' ? 'Opera' : browser;
  return [name, system].filter(Boolean).join(', ') || words.unknownBrowser;
}
