export { listSessions, revokeSession } from './list.ts';
export { newSecret, openSession, openSessionIn, type OpenSession, type SignedIn } from './open.ts';
export { endSession, renewSession, type Leaving } from './renew.ts';
export { ROLES, type Role } from './role.ts';
export { digestOf, readTicket, writeTicket, type Session, type SignedInWith } from './session.ts';
export { changeRoleOf, endOtherSessionsOf, endSessionsOf } from './store.ts';
export { verifySession } from './verify.ts';
