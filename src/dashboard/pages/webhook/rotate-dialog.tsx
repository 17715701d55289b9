import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { SelectField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { texts } from '../../texts/texts.ts';
import { SecretDialog } from '../webhooks/secret-dialog.tsx';
import type { EndpointDialogProps } from './dialog-props.ts';
import { rotate } from './query.ts';

type Overlap = keyof typeof texts.webhooks.rotate.overlaps;

/** Minutes that the old secret stays live, shortest first. */
const OVERLAPS: readonly Overlap[] = ['0', '60', '1440', '10080'];

/** Makes a new signing secret, and shows it once. */
export function RotateDialog({ endpoint, onClose }: EndpointDialogProps) {
  const { rotate: words } = texts.webhooks;
  const act = useAct();
  const [overlap, setOverlap] = useState<Overlap>('1440');
  const [made, setMade] = useState<{ readonly secret: string | null } | null>(null);
  if (made) return <SecretDialog secret={made.secret} onClose={onClose} />;
  return (
    <FormDialog
      title={words.title}
      act={act}
      submit={words.submit}
      onSubmit={() =>
        act.run(
          (key) => rotate(endpoint.id, Number(overlap), key),
          (secret) => setMade({ secret }),
        )
      }
      onClose={onClose}
    >
      <p className="quiet">{words.text}</p>
      <SelectField
        label={words.overlap}
        value={overlap}
        options={OVERLAPS.map((each) => [each, words.overlaps[each]])}
        onChange={setOverlap}
      />
    </FormDialog>
  );
}
