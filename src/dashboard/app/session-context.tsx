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

/** Tells whether scopes include a scope, such as `transactions.write`. */
export const mayUse = (scopes: readonly string[], scope: string): boolean =>
  scopes.includes(scope) || scopes.includes(`*${scope.slice(scope.lastIndexOf('.'))}`);

/** Tells whether the person may use a scope. The API decides again at each request. */
export const useMay = (scope: string): boolean => mayUse(useSession().scopes, scope);
