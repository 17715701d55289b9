import { startRegistration, type PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { Mark } from '../../app/frame/shell.tsx';
import { go } from '../../app/route.tsx';
import { ask, type Session } from '../../app/session.ts';
import { Button } from '../../design/button.tsx';
import { QrCode } from '../../design/qr-code.tsx';
import { texts } from '../../texts/texts.ts';
import { Field } from './field.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { sentenceOf } from './sentence.ts';

type Invitation = {
  readonly person: { readonly email: string; readonly merchantAccountId: string };
  readonly totpSecret: string;
  readonly totpAddress: string;
};

type Joined = Session & { readonly recoveryCodes?: readonly string[] };

const words = texts.signIn.join;

/** Accepts an invitation with a passkey, or with a password and one-time codes. The address has the secret behind its `#`. */
export function Join({ onEnter }: { readonly onEnter: (session: Session) => void }) {
  const [ticket] = useState(() => location.hash.slice(1));
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [joined, setJoined] = useState<Joined | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    document.title = `${words.title} · ${texts.product}`;
    ask<Invitation>('invitation', { ticket }).then(setInvitation, (error: unknown) =>
      setProblem(sentenceOf(error)),
    );
  }, [ticket]);
  const finish = (session: Session): void => {
    go('.', { replace: true });
    onEnter(session);
  };
  const enter = (session: Joined): void => (session.recoveryCodes ? setJoined(session) : finish(session));
  if (joined) return <RecoveryCodes codes={joined.recoveryCodes ?? []} onDone={() => finish(joined)} />;
  if (!invitation && problem === null) return null;
  return (
    <main className="alone">
      <div className="sign-in">
        <Mark />
        <h1>{invitation ? words.title : words.missing}</h1>
        {invitation && (
          <>
            <p className="quiet">
              {words.lead(invitation.person.email, invitation.person.merchantAccountId)}
            </p>
            <PasskeyPart ticket={ticket} onEnter={enter} onProblem={setProblem} />
            <p className="divider">{words.or}</p>
            <PasswordPart invitation={invitation} ticket={ticket} onEnter={enter} onProblem={setProblem} />
          </>
        )}
        {problem !== null && (
          <p className={invitation ? 'sign-in-problem' : 'quiet'} role="alert">
            {problem}
          </p>
        )}
      </div>
    </main>
  );
}

type PartProps = {
  readonly ticket: string;
  readonly onEnter: (session: Joined) => void;
  readonly onProblem: (sentence: string | null) => void;
};

function PasskeyPart({ ticket, onEnter, onProblem }: PartProps) {
  const make = async (): Promise<void> => {
    onProblem(null);
    try {
      const optionsJSON = await ask<PublicKeyCredentialCreationOptionsJSON>('invitation/challenge', {
        ticket,
      });
      const response = await startRegistration({ optionsJSON }).catch(() => null);
      if (response) onEnter(await ask<Joined>('invitation/passkey', { ticket, response }));
      else onProblem(texts.signIn.passkeyFailed);
    } catch (error) {
      onProblem(sentenceOf(error));
    }
  };
  return (
    <>
      <Button look="primary" icon="shield" onPress={() => void make()}>
        {words.withPasskey}
      </Button>
      <p className="hint quiet">{words.passkeyHint}</p>
    </>
  );
}

function PasswordPart({
  invitation,
  ticket,
  onEnter,
  onProblem,
}: PartProps & { readonly invitation: Invitation }) {
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const given = new FormData(form.current ?? undefined);
    onProblem(null);
    setBusy(true);
    try {
      const proofs = { password: given.get('password'), code: given.get('code') };
      onEnter(await ask<Joined>('invitation/password', { ticket, ...proofs }));
    } catch (error) {
      onProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} className="sign-in-form">
      {/* A password manager keeps the address with the password. */}
      <input type="hidden" name="email" autoComplete="username" value={invitation.person.email} readOnly />
      <Field
        label={texts.signIn.password}
        hint={words.passwordHint}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={12}
        required
      />
      <div className="totp">
        <QrCode text={invitation.totpAddress} label={words.scan} ecc="M" />
        <div>
          <p>{words.scan}</p>
          <p className="hint quiet">{words.scanHint}</p>
          <p className="hint quiet">
            {words.key} <code>{invitation.totpSecret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
          </p>
        </div>
      </div>
      <Field
        label={texts.signIn.code}
        hint={words.codeHint}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        required
      />
      <Button look="primary" submits isDisabled={isBusy}>
        {words.submit}
      </Button>
    </form>
  );
}
