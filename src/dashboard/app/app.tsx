import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { ToastProvider } from '../design/toast.tsx';
import { Boundary } from './boundary.tsx';
import { LiveProvider } from './data/live.tsx';
import { Shell } from './frame/shell.tsx';
import { SignedOut } from './frame/signed-out.tsx';
import { PageOf } from './page-of.tsx';
import { useRoute } from './route.tsx';
import { SessionContext } from './session-context.tsx';
import { closeSession, openSession, type Leaving, type Session } from './session.ts';

const JoinPage = lazy(() => import('../pages/sign-in/join.tsx').then((it) => ({ default: it.Join })));

/** The session of this tab: not known yet, open, or closed with a reason. */
type Known = null | { readonly session: Session } | { readonly reason: unknown };

/** The time between two renewals of the session. The server changes the secret every 15 minutes. */
const RENEWAL_MS = 10 * 60_000;

/** Signs in, renews the session, and shows the page of the address. */
export function App() {
  const [known, setKnown] = useState<Known>(null);
  const signIn = useCallback(() => {
    openSession().then(
      (session) => setKnown({ session }),
      (reason: unknown) => setKnown({ reason }),
    );
  }, []);
  const isOpen = known !== null && 'session' in known;
  useEffect(signIn, [signIn]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setInterval(() => {
      openSession().catch((reason: unknown) => setKnown({ reason }));
    }, RENEWAL_MS);
    return () => clearInterval(timer);
  }, [isOpen]);
  const signOut = (leaving: Leaving): void => {
    closeSession(leaving).then(
      () => setKnown({ reason: null }),
      (reason: unknown) => setKnown({ reason }),
    );
  };

  const { path } = useRoute();
  const enter = (session: Session): void => setKnown({ session });

  // A person accepts an invitation whatever session this browser has.
  if (path === 'join')
    return (
      <Suspense>
        <JoinPage onEnter={enter} />
      </Suspense>
    );
  if (known === null) return null;
  if ('reason' in known) return <SignedOut reason={known.reason} onRetry={signIn} onEnter={enter} />;
  return (
    <SessionContext value={known.session}>
      <ToastProvider>
        <LiveProvider>
          <Shell onSignOut={signOut}>
            <Suspense>
              <Page />
            </Suspense>
          </Shell>
        </LiveProvider>
      </ToastProvider>
    </SessionContext>
  );
}

function Page() {
  const { path } = useRoute();
  // The key gives each address a new start after an error.
  return (
    <Boundary key={path}>
      <PageOf path={path} />
    </Boundary>
  );
}
