import { invitePerson, listPeople, renewInvitation, updatePerson } from '../../../modules/people/index.ts';
import { listSessions, revokeSession, ROLES, type Role } from '../../../modules/sessions/index.ts';
import { invalidArguments } from '../../errors.ts';
import type { Resolvers } from '../../generated/accounts.ts';
import { parsePageOrThrow, toConnection } from '../pages.ts';
import { toUserErrors } from '../refusals.ts';

type Of<Name extends 'Query' | 'Mutation', Field extends string> = Pick<
  NonNullable<Resolvers[Name]>,
  Field & keyof NonNullable<Resolvers[Name]>
>;

const Query: Of<'Query', 'dashboardPeople' | 'dashboardSessions' | 'dashboardRoles'> = {
  dashboardPeople: async (_, page, { app, viewer }) => {
    const found = await listPeople(app, viewer, parsePageOrThrow(page));
    if (!found.ok) throw invalidArguments(found.refusals);
    return toConnection(found.value);
  },
  dashboardSessions: async (_, page, { app, viewer }) => {
    const found = await listSessions(app, viewer, parsePageOrThrow(page));
    if (!found.ok) throw invalidArguments(found.refusals);
    return toConnection(found.value);
  },
  dashboardRoles: () =>
    Object.entries(ROLES).map(([role, scopes]) => ({ role: role as Role, scopes: [...scopes] })),
};

const Mutation: Of<
  'Mutation',
  'inviteDashboardPerson' | 'renewDashboardInvitation' | 'updateDashboardPerson' | 'endDashboardSession'
> = {
  inviteDashboardPerson: async (_, { input }, { app, viewer }) => {
    const invited = await invitePerson(app, viewer, input);
    if (!invited.ok) return { person: null, invitationUrl: null, userErrors: toUserErrors(invited.refusals) };
    return { ...invited.value, userErrors: [] };
  },
  renewDashboardInvitation: async (_, { id }, { app, viewer }) => {
    const invited = await renewInvitation(app, viewer, id);
    if (!invited.ok) return { person: null, invitationUrl: null, userErrors: toUserErrors(invited.refusals) };
    return { ...invited.value, userErrors: [] };
  },
  updateDashboardPerson: async (_, { id, input }, { app, viewer }) => {
    const updated = await updatePerson(app, viewer, id, input);
    if (!updated.ok) return { person: null, userErrors: toUserErrors(updated.refusals) };
    return { person: updated.value, userErrors: [] };
  },
  endDashboardSession: async (_, { id }, { app, viewer }) => {
    const ended = await revokeSession(app, viewer, id);
    if (!ended.ok) return { session: null, userErrors: toUserErrors(ended.refusals) };
    return { session: ended.value, userErrors: [] };
  },
};

/** The resolvers of the people and sessions of the dashboard. */
export const people = {
  Query,
  Mutation,
  DashboardPerson: { usesIdentityProvider: ({ subject }) => subject !== null },
  DashboardSession: { isCurrent: ({ id }, _, { viewer }) => id === viewer.apiKeyPairId },
} satisfies Resolvers;
