import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Copy } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';
import { inviteAgain, invitePerson, updatePerson, type Person } from './query.ts';

const words = texts.team;

type Role = Person['role'];

const ROLES = (['ANALYST', 'SUPPORT', 'DEVELOPER', 'OWNER'] as const).map(
  (role) => [role, words.role[role]] as const,
);

type InviteProps = { readonly onClose: () => void; readonly onInvited: (url: string) => void };

/** Invites a person with a role. */
export function InviteDialog({ onClose, onInvited }: InviteProps) {
  const act = useAct();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('SUPPORT');
  const finish = (url: string): void => {
    onClose();
    onInvited(url);
  };
  return (
    <FormDialog
      title={words.invite}
      act={act}
      submit={words.invite}
      isReady={email.includes('@')}
      onSubmit={() => act.run(() => invitePerson(email, role), finish)}
      onClose={onClose}
    >
      <TextField
        label={words.column.email}
        type="email"
        value={email}
        onChange={setEmail}
        autoFocus
        required
      />
      <SelectField label={words.column.role} value={role} options={ROLES} onChange={setRole} />
    </FormDialog>
  );
}

/** A change of a person that waits for its confirmation. */
export type Change = { readonly person: Person; readonly kind: 'role' | 'again' | 'suspend' | 'resume' };

type PersonProps = {
  readonly change: Change;
  readonly onClose: () => void;
  /** Gets the address of a new invitation, or null. */
  readonly onDone: (url: string | null) => void;
};

/** Confirms a change of a person. */
export function PersonDialog({ change: { person, kind }, onClose, onDone }: PersonProps) {
  const act = useAct();
  const [role, setRole] = useState<Role>(person.role);
  const carryOut = (): Promise<string | null> => {
    if (kind === 'again') return inviteAgain(person.id);
    return updatePerson(person.id, kind === 'role' ? { role } : { active: kind === 'resume' });
  };
  const finish = (url: string | null): void => {
    onClose();
    onDone(url);
  };
  const title = { role: words.changeRole, again: words.again, suspend: words.suspend, resume: words.resume }[
    kind
  ];
  return (
    <FormDialog
      title={title}
      act={act}
      submit={title}
      {...(kind === 'suspend' && { look: 'danger' as const })}
      onSubmit={() => act.run(carryOut, finish)}
      onClose={onClose}
    >
      <p>
        <strong>{person.email}</strong>
      </p>
      {kind === 'role' ? (
        <SelectField label={words.column.role} value={role} options={ROLES} onChange={setRole} />
      ) : (
        <p className="quiet">{words.confirm[kind]}</p>
      )}
    </FormDialog>
  );
}

/** Shows the address of an invitation. The API never tells it again. */
export function InvitationDialog({ url, onClose }: { readonly url: string; readonly onClose: () => void }) {
  return (
    <Dialog title={words.invitation.title} onClose={onClose} isWide>
      <div className="dialog-body">
        <p>{words.invitation.text}</p>
        <p className="secret">
          <Copy value={url} />
        </p>
      </div>
      <div className="dialog-foot">
        <Button look="primary" onPress={onClose}>
          {words.invitation.done}
        </Button>
      </div>
    </Dialog>
  );
}
