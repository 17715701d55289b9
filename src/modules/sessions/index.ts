export { openSession, type OpenSession, type Person } from './open.ts';
export { endSession, renewSession } from './renew.ts';
export { ROLES, type Role } from './role.ts';
export type { Session } from './session.ts';
export { verifySession } from './verify.ts';
