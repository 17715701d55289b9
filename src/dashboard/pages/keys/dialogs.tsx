import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Copy } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';
import { createKey, updateKey, type Key } from './query.ts';

const words = texts.keys;

type CreateProps = { readonly onClose: () => void; readonly onCreated: (privateKey: string) => void };

/** Creates a key with scopes. */
export function CreateDialog({ onClose, onCreated }: CreateProps) {
  const act = useAct();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState('transactions.write *.read');
  const given = scopes.split(/[\s,]+/).filter(Boolean);
  const finish = (privateKey: string): void => {
    onClose();
    onCreated(privateKey);
  };
  return (
    <FormDialog
      title={words.add}
      act={act}
      submit={words.add}
      isReady={name.trim() !== '' && given.length > 0}
      onSubmit={() => act.run((key) => createKey(name.trim(), given, key), finish)}
      onClose={onClose}
    >
      <TextField label={words.name} value={name} onChange={setName} autoFocus required />
      <TextField label={words.scopes} hint={words.scopesHint} value={scopes} onChange={setScopes} required />
    </FormDialog>
  );
}

/** A change of a key that waits for its confirmation. */
export type Change = { readonly pair: Key; readonly kind: 'disable' | 'enable' | 'revoke' };

type KeyProps = { readonly change: Change; readonly onClose: () => void; readonly onDone: () => void };

/** Confirms a change of a key. */
export function KeyDialog({ change: { pair, kind }, onClose, onDone }: KeyProps) {
  const act = useAct();
  const input =
    kind === 'revoke' ? { tokensNotBefore: new Date().toISOString() } : { active: kind === 'enable' };
  const finish = (): void => {
    onClose();
    onDone();
  };
  return (
    <FormDialog
      title={words[kind]}
      act={act}
      submit={words[kind]}
      {...(kind !== 'enable' && { look: 'danger' as const })}
      onSubmit={() => act.run(() => updateKey(pair.id, input), finish)}
      onClose={onClose}
    >
      <p>
        <strong>{pair.displayName}</strong>
      </p>
      <p className="quiet">{words.confirm[kind]}</p>
    </FormDialog>
  );
}

/** Shows a new private key. The API never tells it again. */
export function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog title={words.secret.title} onClose={onClose} isWide>
      <div className="dialog-body">
        <p>{words.secret.text}</p>
        <p className="secret">
          <Copy value={secret} />
        </p>
        <p className="quiet">{words.secret.rotate}</p>
      </div>
      <div className="dialog-foot">
        <Button look="primary" onPress={onClose}>
          {words.secret.done}
        </Button>
      </div>
    </Dialog>
  );
}
