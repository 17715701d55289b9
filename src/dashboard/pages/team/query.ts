import type {
  DashboardPerson,
  DashboardRole,
  DashboardSession,
  UpdateDashboardPersonInput,
} from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api } from '../../app/data/api.ts';
import { pageOf, rowsOf, type Ask } from '../../app/data/pages.ts';

const PERSON = {
  ...{ id: true, email: true, role: true, state: true, usesIdentityProvider: true },
  ...{ hasPassword: true, passkeyCount: true, signedInAt: true },
} as const;

/** A person who may sign in. */
export type Person = Answer<DashboardPerson, typeof PERSON>;

const SESSION = {
  ...{ id: true, person: true, role: true, isCurrent: true, signedInWith: true },
  ...{ address: true, userAgent: true, createdAt: true },
} as const;

/** A session that has not ended. */
export type OpenSession = Answer<DashboardSession, typeof SESSION>;

/** Reads a page of the people, newest first. */
export async function readPeople({ after, signal }: Ask) {
  const wanted = [{ first: 50, after }, pageOf(PERSON)] as const;
  return rowsOf((await api.query({ dashboardPeople: wanted }, { signal })).dashboardPeople);
}

/** Reads a page of the sessions, newest first. */
export async function readSessions({ after, signal }: Ask) {
  const wanted = [{ first: 50, after }, pageOf(SESSION)] as const;
  return rowsOf((await api.query({ dashboardSessions: wanted }, { signal })).dashboardSessions);
}

/** Invites a person. The answer is the address of the invitation. */
export async function invitePerson(email: string, role: DashboardRole): Promise<string> {
  const { inviteDashboardPerson: invited } = await api.mutate({
    inviteDashboardPerson: [{ input: { email, role } }, { invitationUrl: true }],
  });
  return invited.invitationUrl ?? '';
}

/** Invites a person again. The answer is the address of the invitation. */
export async function inviteAgain(id: string): Promise<string> {
  const { renewDashboardInvitation: invited } = await api.mutate({
    renewDashboardInvitation: [{ id }, { invitationUrl: true }],
  });
  return invited.invitationUrl ?? '';
}

/** Changes the role of a person, or suspends the person. */
export async function updatePerson(id: string, input: UpdateDashboardPersonInput): Promise<null> {
  await api.mutate({ updateDashboardPerson: [{ id, input }, { person: { id: true } }] });
  return null;
}
