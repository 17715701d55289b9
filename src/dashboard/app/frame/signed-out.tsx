import { lazy, Suspense, useEffect } from 'react';
import { Button } from '../../design/button.tsx';
import { texts } from '../../texts/texts.ts';
import { SignInError, type Session } from '../session.ts';
import { Mark } from './shell.tsx';

const SignInForm = lazy(() =>
  import('../../pages/sign-in/form.tsx').then((it) => ({ default: it.SignInForm })),
);

type SignedOutProps = {
  readonly reason: unknown;
  readonly onRetry: () => void;
  readonly onEnter: (session: Session) => void;
};

/** Signs a person in, or says why nobody is signed in. */
export function SignedOut({ reason, onRetry, onEnter }: SignedOutProps) {
  useEffect(() => {
    document.title = `${texts.signIn.title} · ${texts.product}`;
  }, []);
  if (reason instanceof SignInError)
    return (
      <Suspense>
        <SignInForm hasProvider={reason.hasProvider} onEnter={onEnter} />
      </Suspense>
    );
  const isLeft = reason === null;
  return (
    <main className="alone">
      <div>
        <Mark />
        <h1>{isLeft ? texts.signIn.signedOut : texts.signIn.failed}</h1>
        {!isLeft && <p className="quiet">{texts.error.unreachable}</p>}
        <div className="actions">
          <Button look="primary" onPress={onRetry}>
            {isLeft ? texts.signIn.again : texts.action.retry}
          </Button>
        </div>
      </div>
    </main>
  );
}
