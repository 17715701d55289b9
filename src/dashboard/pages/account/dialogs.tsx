import { useState } from 'react';
import { binder, TextField } from '../../design/form/field.tsx';
import { FormDialog, type DialogProps } from '../../design/form/form-dialog.tsx';
import { texts } from '../../texts/texts.ts';
import {
  addPasskey,
  changePassword,
  namePasskey,
  removePasskey,
  type OwnAccount,
  type Passkey,
} from './query.ts';

const { ownAccount } = texts;
const { passkeys: words, password } = ownAccount;

type PresentProps = {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
};

/** Asks for the present password, which proves that the person is there. */
export const PresentPassword = (props: PresentProps) => (
  <TextField label={ownAccount.present} type="password" autoComplete="current-password" required {...props} />
);

/** Changes the password, after the present one. */
export function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const [values, setValues] = useState({ present: '', next: '' });
  const bind = binder(values, setValues);
  const { present, next } = values;
  return (
    <FormDialog
      title={password.change}
      submit={password.change}
      isReady={present !== '' && next !== ''}
      run={() => changePassword(present, next)}
      said={password.done}
      onClose={onClose}
    >
      <p className="quiet">{ownAccount.others}</p>
      <PresentPassword {...bind('present')} autoFocus />
      <TextField
        {...bind('next')}
        label={password.next}
        hint={texts.signIn.join.passwordHint}
        type="password"
        autoComplete="new-password"
        required
      />
    </FormDialog>
  );
}

type OfAccount = DialogProps & { readonly account: OwnAccount };

/** Makes a passkey on this device, after a proof. */
export function AddDialog({ account, ...ends }: OfAccount) {
  const [values, setValues] = useState({ name: '', present: '' });
  const bind = binder(values, setValues);
  const { name, present } = values;
  const { hasPassword } = account;
  return (
    <FormDialog
      title={words.add}
      submit={words.add}
      isReady={name.trim() !== '' && (!hasPassword || present !== '')}
      run={() => addPasskey(account, present, name)}
      said={words.added}
      {...ends}
    >
      {!hasPassword && <p className="quiet">{words.prove}</p>}
      <NameField {...bind('name')} />
      {hasPassword && <PresentPassword {...bind('present')} />}
    </FormDialog>
  );
}

type OfPasskey = OfAccount & { readonly passkey: Passkey };

/** Names a passkey. */
export function NameDialog({ account: _, passkey, ...ends }: OfPasskey) {
  const [name, setName] = useState(passkey.name ?? '');
  return (
    <FormDialog
      title={words.renameTitle}
      submit={words.save}
      isReady={name.trim() !== ''}
      run={() => namePasskey(passkey.id, name)}
      said={words.renamed}
      {...ends}
    >
      <NameField value={name} onChange={setName} />
    </FormDialog>
  );
}

/** Removes a passkey, after a proof. */
export function RemoveDialog({ account, passkey, ...ends }: OfPasskey) {
  const [present, setPresent] = useState('');
  const { hasPassword } = account;
  return (
    <FormDialog
      title={words.removeTitle}
      submit={words.submit}
      look="danger"
      cancel={words.keep}
      isReady={!hasPassword || present !== ''}
      run={() => removePasskey(account, present, passkey.id)}
      said={words.removed}
      {...ends}
    >
      <p>
        <strong>{passkey.name ?? words.unnamed}</strong>
      </p>
      <p className="quiet">
        {words.removeText} {ownAccount.others}
      </p>
      {hasPassword ? (
        <PresentPassword value={present} onChange={setPresent} />
      ) : (
        <p className="quiet">{words.removeProof}</p>
      )}
    </FormDialog>
  );
}

type NameProps = { readonly value: string; readonly onChange: (value: string) => void };

const NameField = (props: NameProps) => (
  <TextField label={words.name} hint={words.nameHint} maxLength={60} required autoFocus {...props} />
);
