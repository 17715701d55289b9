import { useState } from 'react';
import { TextField } from '../../../design/form/field.tsx';
import { FormDialog } from '../../../design/form/form-dialog.tsx';
import { texts } from '../../../texts/texts.ts';
import { COLUMN_NAMES } from '../columns.tsx';
import { factsOf } from '../filters/filters.ts';
import type { View } from './views.ts';

const { views: words, column } = texts.payments;

type ViewDialogProps = {
  readonly view: View;
  /** The names of all saved views. */
  readonly taken: readonly string[];
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
};

/** Names a view, with what it shows. */
export function ViewDialog({ view, taken, onSave, onClose }: ViewDialogProps) {
  const [name, setName] = useState(view.name);
  const chosen = name.trim();
  const isTaken = chosen !== view.name && taken.includes(chosen);
  const columns = view.columns ?? COLUMN_NAMES;
  return (
    <FormDialog
      title={view.name === '' ? words.save : words.rename}
      submit={view.name === '' ? words.submit : words.rename}
      isReady={chosen !== ''}
      summary={[...factsOf(view.filters), [words.columns, columns.map((each) => column[each]).join(', ')]]}
      run={async () => onSave(chosen)}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        hint={isTaken ? words.replaces(chosen) : words.kept}
        maxLength={40}
        autoFocus
        required
        value={name}
        onChange={setName}
      />
    </FormDialog>
  );
}
