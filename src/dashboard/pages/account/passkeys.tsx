import { useState } from 'react';
import { Button, IconButton } from '../../design/button.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { AddDialog, NameDialog, RemoveDialog } from './dialogs.tsx';
import type { OwnAccount, Passkey } from './query.ts';

const { passkeys: words } = texts.ownAccount;

type PasskeysProps = { readonly account: OwnAccount; readonly onChanged: () => void };

/** An open dialog, with its passkey. */
type Open = { readonly kind: 'add' } | { readonly kind: 'name' | 'remove'; readonly passkey: Passkey };

/** The passkeys of the signed-in person. The last way to sign in has no button to remove it. */
export function Passkeys({ account, onChanged }: PasskeysProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const { passkeys, hasPassword } = account;
  const isLast = passkeys.length === 1 && !hasPassword;
  const dialog = { account, onChanged, onClose: () => setOpen(null) };
  return (
    <section className="card case">
      <h2>{words.title}</h2>
      {passkeys.length === 0 && <p className="quiet">{words.empty}</p>}
      {passkeys.map((passkey) => (
        <div key={passkey.id} className="own-passkey">
          <Shown {...passkey} />
          <div className="actions">
            <IconButton
              label={words.rename(nameOf(passkey))}
              icon="pencil"
              onPress={() => setOpen({ kind: 'name', passkey })}
            />
            {isLast ? (
              <span className="quiet">{words.last}</span>
            ) : (
              <IconButton
                label={words.remove(nameOf(passkey))}
                icon="trash"
                onPress={() => setOpen({ kind: 'remove', passkey })}
              />
            )}
          </div>
        </div>
      ))}
      <div className="actions">
        <Button icon="plus" onPress={() => setOpen({ kind: 'add' })}>
          {words.add}
        </Button>
      </div>
      {open?.kind === 'add' && <AddDialog {...dialog} />}
      {open?.kind === 'name' && <NameDialog {...dialog} passkey={open.passkey} />}
      {open?.kind === 'remove' && <RemoveDialog {...dialog} passkey={open.passkey} />}
    </section>
  );
}

const nameOf = ({ name }: Passkey): string => name ?? words.unnamed;

const Shown = (passkey: Passkey) => (
  <p>
    <strong>{nameOf(passkey)}</strong>
    <span className="quiet">
      {' '}
      {words.since} <Moment at={passkey.createdAt} />
      {passkey.lastUsedAt !== null && (
        <>
          {' · '}
          {words.used} <Moment at={passkey.lastUsedAt} />
        </>
      )}
    </span>
  </p>
);
