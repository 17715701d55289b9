import { useEffect } from 'react';
import { Button } from '../design/button.tsx';
import { texts } from '../texts/texts.ts';
import { addressOf, SignInError } from './session.ts';
import { Mark } from './shell.tsx';

/** Says why nobody is signed in, with the sentence of the server. */
export function SignedOut({ reason, onSignIn }: { readonly reason: unknown; readonly onSignIn: () => void }) {
  const { title, sentence, mayTry } = describe(reason);
  useEffect(() => {
    document.title = `${texts.signIn.title} · ${texts.product}`;
  }, []);
  return (
    <main className="alone">
      <div>
        <Mark />
        <h1>{title}</h1>
        {sentence && <p className="quiet">{sentence}</p>}
        <div className="actions">
          {mayTry && (
            <Button look="primary" onPress={onSignIn}>
              {reason === null ? texts.signIn.again : texts.action.retry}
            </Button>
          )}
          {!mayTry && (
            <a className="button" href={addressOf('docs/guides/dashboard')}>
              {texts.signIn.guide}
            </a>
          )}
        </div>
      </div>
    </main>
  );
}

function describe(reason: unknown): { title: string; sentence: string | null; mayTry: boolean } {
  if (reason === null) return { title: texts.signIn.signedOut, sentence: null, mayTry: true };
  if (!(reason instanceof SignInError))
    return { title: texts.signIn.failed, sentence: texts.error.unreachable, mayTry: true };
  return { title: texts.signIn.notConfigured, sentence: reason.message, mayTry: false };
}
