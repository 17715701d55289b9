import { startAuthentication, type PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useRef, useState, type SyntheticEvent } from 'react';
import { Mark } from '../../app/frame/shell.tsx';
import { addressOf, ask, type Session } from '../../app/session.ts';
import { Button } from '../../design/button.tsx';
import { texts } from '../../texts/texts.ts';
import { Field } from './field.tsx';
import { sentenceOf } from './sentence.ts';

type FormProps = { readonly hasProvider: boolean; readonly onEnter: (session: Session) => void };

const words = texts.signIn;

/** The merchant account that this browser signed in to last. It is no secret. */
const ACCOUNT = 'paygraph.account';

/** Signs a person in: at an identity provider, with a passkey, or with password and code. */
export function SignInForm({ hasProvider, onEnter }: FormProps) {
  const [account, setAccount] = useState(() => localStorage.getItem(ACCOUNT) ?? 'default');
  const [problem, setProblem] = useState<string | null>(null);
  const enter = (session: Session): void => {
    localStorage.setItem(ACCOUNT, session.merchantAccountId);
    onEnter(session);
  };
  const usePasskey = async (): Promise<void> => {
    setProblem(null);
    try {
      const optionsJSON = await ask<PublicKeyCredentialRequestOptionsJSON>('sign-in/challenge');
      const answer = await startAuthentication({ optionsJSON }).catch(() => null);
      if (answer) enter(await ask<Session>('sign-in/passkey', answer));
      else setProblem(words.passkeyFailed);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <main className="alone">
      <div className="sign-in">
        <Mark />
        <h1>{words.title}</h1>
        <p className="quiet">{words.lead}</p>
        {hasProvider && (
          <a className="button primary wide" href={addressOf('dashboard/sign-in/oidc')}>
            {words.provider}
          </a>
        )}
        <Button icon="shield" onPress={() => void usePasskey()}>
          {words.passkey}
        </Button>
        <p className="divider">{words.or}</p>
        <PasswordForm account={account} onAccount={setAccount} onEnter={enter} onProblem={setProblem} />
        {problem !== null && (
          <p className="sign-in-problem" role="alert">
            {problem}
          </p>
        )}
        <p className="hint quiet">{words.trouble}</p>
      </div>
    </main>
  );
}

type PasswordProps = {
  readonly account: string;
  readonly onAccount: (account: string) => void;
  readonly onEnter: (session: Session) => void;
  readonly onProblem: (sentence: string | null) => void;
};

/** Asks for address and password first, and then for the code. The server gets all of them at once. */
function PasswordForm({ account, onAccount, onEnter, onProblem }: PasswordProps) {
  const [step, setStep] = useState<'password' | 'code'>('password');
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    onProblem(null);
    if (step === 'password') return setStep('code');
    const given = new FormData(form.current ?? undefined);
    const text = (name: string): string => {
      const value = given.get(name);
      return typeof value === 'string' ? value : '';
    };
    setBusy(true);
    try {
      const proofs = { email: text('email'), password: text('password'), code: text('code') };
      onEnter(await ask<Session>('sign-in', { merchantAccountId: account, ...proofs }));
    } catch (error) {
      onProblem(sentenceOf(error));
      setStep('password');
    } finally {
      setBusy(false);
    }
  };
  const isCode = step === 'code';
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} className="sign-in-form">
      <PasswordFields isHidden={isCode} account={account} onAccount={onAccount} />
      {isCode && (
        <Field
          label={words.code}
          hint={words.codeHint}
          name="code"
          autoComplete="one-time-code"
          maxLength={40}
          required
          autoFocus
        />
      )}
      <div className="actions">
        <Button look="primary" submits isDisabled={isBusy}>
          {isCode ? words.submit : words.next}
        </Button>
        {isCode && <Button onPress={() => setStep('password')}>{words.back}</Button>}
      </div>
    </form>
  );
}

type FieldsProps = Pick<PasswordProps, 'account' | 'onAccount'> & { readonly isHidden: boolean };

/** The fields of the first step. They stay in the form while the second step is shown. */
function PasswordFields({ isHidden, account, onAccount }: FieldsProps) {
  const [showsAccount, setShowsAccount] = useState(account !== 'default');
  return (
    <div hidden={isHidden} className="sign-in-form">
      <Field label={words.email} name="email" type="email" autoComplete="username" required />
      <Field
        label={words.password}
        name="password"
        type="password"
        autoComplete="current-password"
        required
      />
      {showsAccount ? (
        <Field
          label={words.account}
          name="account"
          value={account}
          required
          onChange={(event) => onAccount(event.target.value)}
        />
      ) : (
        <button type="button" className="link" onClick={() => setShowsAccount(true)}>
          {words.otherAccount}
        </button>
      )}
    </div>
  );
}
