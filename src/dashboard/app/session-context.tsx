import { createContext, useContext } from 'react';
import type { Session } from './session.ts';

/** The session of the signed-in person. */
export const SessionContext = createContext<Session | null>(null);

/** Returns the session. Only signed-in pages call it. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('A page without a session asked for one.');
  return session;
}

/** Tells whether the person may use a scope, such as `transactions.write`. The API decides again at each request. */
export function useMay(scope: string): boolean {
  const { scopes } = useSession();
  return scopes.includes(scope) || scopes.includes(`*${scope.slice(scope.lastIndexOf('.'))}`);
}
