import { useState } from 'react';
import { binder, optionsOf, SelectField, TextField } from '../../design/form/field.tsx';
import { FormDialog, SecretDialog, type DialogProps } from '../../design/form/form-dialog.tsx';
import { texts } from '../../texts/texts.ts';
import { inviteAgain, invitePerson, updatePerson, type Person } from './query.ts';

const words = texts.team;

type Role = Person['role'];

const ROLES = optionsOf(words.role, ['ANALYST', 'SUPPORT', 'DEVELOPER', 'OWNER']);

/** Invites a person with a role, and shows the address of the invitation once. */
export function InviteDialog({ onClose, onChanged }: DialogProps) {
  const [values, setValues] = useState({ email: '', role: 'SUPPORT' as Role });
  const [url, setUrl] = useState<string | null>(null);
  const bind = binder(values, setValues);
  if (url !== null) return <InvitationDialog url={url} onClose={onClose} />;
  return (
    <FormDialog
      title={words.invite}
      submit={words.invite}
      isReady={values.email.includes('@')}
      run={() => invitePerson(values.email, values.role)}
      onDone={setUrl}
      {...{ onChanged, onClose }}
    >
      <TextField {...bind('email')} label={words.column.email} type="email" autoFocus required />
      <SelectField {...bind('role')} label={words.column.role} options={ROLES} />
    </FormDialog>
  );
}

/** A change of a person that waits for its confirmation. */
export type Change = { readonly person: Person; readonly kind: 'role' | 'again' | 'suspend' | 'resume' };

/** Confirms a change of a person. A new invitation shows its address once. */
export function PersonDialog({ person, kind, onClose, onChanged }: Change & DialogProps) {
  const [role, setRole] = useState<Role>(person.role);
  const [url, setUrl] = useState<string | null>(null);
  const carryOut = (): Promise<string | null> => {
    if (kind === 'again') return inviteAgain(person.id);
    return updatePerson(person.id, kind === 'role' ? { role } : { active: kind === 'resume' });
  };
  const title = kind === 'role' ? words.changeRole : words[kind];
  if (url !== null) return <InvitationDialog url={url} onClose={onClose} />;
  return (
    <FormDialog
      title={title}
      submit={title}
      look={kind === 'suspend' ? 'danger' : 'primary'}
      run={carryOut}
      onDone={(made) => (made === null ? onClose() : setUrl(made))}
      {...{ onChanged, onClose }}
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

const InvitationDialog = ({ url, onClose }: { readonly url: string; readonly onClose: () => void }) => (
  <SecretDialog {...words.invitation} secret={url} onClose={onClose} />
);
