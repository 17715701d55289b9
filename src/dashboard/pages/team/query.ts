import type { Answer } from '../../../client/operations/selection.ts';
import type { DashboardPerson, DashboardRole, DashboardSession } from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';
import { PAGE_INFO, rowsOf, type Rows } from '../../app/pages.ts';

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
export async function readPeople(after: string | null, signal: AbortSignal): Promise<Rows<Person>> {
  const selection = { nodes: PERSON, pageInfo: PAGE_INFO };
  const { dashboardPeople } = await api.query(
    { dashboardPeople: [{ first: 50, after }, selection] },
    { signal },
  );
  return rowsOf(dashboardPeople);
}

/** Reads a page of the sessions, newest first. */
export async function readSessions(after: string | null, signal: AbortSignal): Promise<Rows<OpenSession>> {
  const selection = { nodes: SESSION, pageInfo: PAGE_INFO };
  const { dashboardSessions } = await api.query(
    { dashboardSessions: [{ first: 50, after }, selection] },
    { signal },
  );
  return rowsOf(dashboardSessions);
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
export async function updatePerson(
  id: string,
  input: { readonly role?: DashboardRole; readonly active?: boolean },
): Promise<null> {
  await api.mutate({ updateDashboardPerson: [{ id, input }, { person: { id: true } }] });
  return null;
}

/** Ends a session. */
export async function endSession(id: string): Promise<null> {
  await api.mutate({ endDashboardSession: [{ id }, { session: { id: true } }] });
  return null;
}
