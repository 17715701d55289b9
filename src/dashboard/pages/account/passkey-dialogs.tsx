import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { PresentPassword } from './password.tsx';
import { addPasskey, namePasskey, removePasskey, type OwnAccount, type Passkey } from './query.ts';

const { ownAccount } = texts;
const { passkeys: words } = ownAccount;

type DialogProps = {
  readonly account: OwnAccount;
  readonly onChanged: () => void;
  readonly onClose: () => void;
};

/** Returns the end of a dialog: a sentence, and the account read again. */
function useFinish({ onChanged, onClose }: Omit<DialogProps, 'account'>, sentence: string): () => void {
  const toast = useToast();
  return () => {
    toast('good', sentence);
    onChanged();
    onClose();
  };
}

/** Makes a passkey on this device, after a proof. */
export function AddDialog({ account, ...rest }: DialogProps) {
  const act = useAct();
  const [name, setName] = useState('');
  const [present, setPresent] = useState('');
  const finish = useFinish(rest, words.added);
  const { hasPassword } = account;
  return (
    <FormDialog
      title={words.add}
      act={act}
      submit={words.add}
      isReady={name.trim() !== '' && (!hasPassword || present !== '')}
      onSubmit={() => act.run(() => addPasskey(account, present, name), finish)}
      onClose={rest.onClose}
    >
      {!hasPassword && <p className="quiet">{words.prove}</p>}
      <NameField value={name} onChange={setName} />
      {hasPassword && <PresentPassword value={present} onChange={setPresent} />}
    </FormDialog>
  );
}

type OfPasskey = DialogProps & { readonly passkey: Passkey };

/** Names a passkey. */
export function NameDialog({ account: _, passkey, ...rest }: OfPasskey) {
  const act = useAct();
  const [name, setName] = useState(passkey.name ?? '');
  const finish = useFinish(rest, words.renamed);
  return (
    <FormDialog
      title={words.renameTitle}
      act={act}
      submit={words.save}
      isReady={name.trim() !== ''}
      onSubmit={() => act.run(() => namePasskey(passkey.id, name), finish)}
      onClose={rest.onClose}
    >
      <NameField value={name} onChange={setName} />
    </FormDialog>
  );
}

/** Removes a passkey, after a proof. */
export function RemoveDialog({ account, passkey, ...rest }: OfPasskey) {
  const act = useAct();
  const [present, setPresent] = useState('');
  const finish = useFinish(rest, words.removed);
  const { hasPassword } = account;
  return (
    <FormDialog
      title={words.removeTitle}
      act={act}
      submit={words.submit}
      look="danger"
      cancel={words.keep}
      isReady={!hasPassword || present !== ''}
      onSubmit={() => act.run(() => removePasskey(account, present, passkey.id), finish)}
      onClose={rest.onClose}
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
