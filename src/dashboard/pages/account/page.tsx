import { useState } from 'react';
import { useRead } from '../../app/data/read.ts';
import { PageHead } from '../../app/frame/shell.tsx';
import { useSession } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { CardBones, Empty } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { texts } from '../../texts/texts.ts';
import { CodesDialog } from './codes.tsx';
import { PasswordDialog } from './dialogs.tsx';
import { Passkeys } from './passkeys.tsx';
import { readOwnAccount, type OwnAccount } from './query.ts';

const { ownAccount: words } = texts;

/** The means of the signed-in person to sign in. The visitor of a sandbox has none. */
export function Account() {
  const { personId } = useSession();
  return (
    <>
      <PageHead title={words.title} />
      {personId === null ? (
        <Empty icon="person" title={words.sandbox}>
          {words.sandboxText}
        </Empty>
      ) : (
        <OfPerson />
      )}
    </>
  );
}

function OfPerson() {
  const { data, error, isLoading, reload } = useRead('own account', readOwnAccount);
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (!data) return isLoading && <CardBones widths={[280, 340]} />;
  if (data.usesIdentityProvider)
    return (
      <Empty icon="shield" title={words.ofProvider}>
        {words.ofProviderText}
      </Empty>
    );
  return (
    <div className="cases">
      <PasswordCard account={data} onChanged={reload} />
      <Passkeys account={data} onChanged={reload} />
    </div>
  );
}

type CardProps = { readonly account: OwnAccount; readonly onChanged: () => void };

function PasswordCard({ account: { hasPassword, recoveryCodesLeft }, onChanged }: CardProps) {
  const [open, setOpen] = useState<'password' | 'codes' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <section className="card case">
      <h2>{words.password.title}</h2>
      <p className="quiet">{hasPassword ? words.password.left(recoveryCodesLeft) : words.password.none}</p>
      {hasPassword && (
        <div className="actions">
          <Button onPress={() => setOpen('password')}>{words.password.change}</Button>
          <Button onPress={() => setOpen('codes')}>{words.codes.renew}</Button>
        </div>
      )}
      {open === 'password' && <PasswordDialog onClose={close} />}
      {open === 'codes' && <CodesDialog onClose={close} onChanged={onChanged} />}
    </section>
  );
}
