import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { changePassword } from './query.ts';

const { ownAccount: words } = texts;

type PresentProps = {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
};

/** Asks for the present password, which proves that the person is there. */
export const PresentPassword = (props: PresentProps) => (
  <TextField label={words.present} type="password" autoComplete="current-password" required {...props} />
);

/** Changes the password, after the present one. */
export function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const act = useAct();
  const toast = useToast();
  const [present, setPresent] = useState('');
  const [next, setNext] = useState('');
  const finish = (): void => {
    toast('good', words.password.done);
    onClose();
  };
  return (
    <FormDialog
      title={words.password.change}
      act={act}
      submit={words.password.change}
      isReady={present !== '' && next !== ''}
      onSubmit={() => act.run(() => changePassword(present, next), finish)}
      onClose={onClose}
    >
      <p className="quiet">{words.others}</p>
      <PresentPassword value={present} onChange={setPresent} autoFocus />
      <TextField
        label={words.password.next}
        hint={texts.signIn.join.passwordHint}
        type="password"
        autoComplete="new-password"
        value={next}
        onChange={setNext}
        required
      />
    </FormDialog>
  );
}
