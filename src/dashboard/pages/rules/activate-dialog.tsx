import { useState } from 'react';
import { binder, optionsOf, TextField } from '../../design/form/field.tsx';
import { FormDialog, type DialogProps } from '../../design/form/form-dialog.tsx';
import { Segments } from '../../design/form/segments.tsx';
import { texts } from '../../texts/texts.ts';
import { plannedOf } from './activations.ts';
import { Planned } from './planned.tsx';
import { activate, type Activity, type VersionName } from './query.ts';
import { decidingName } from './words.ts';

const { activate: words, activations } = texts.routingRules;

type ActivateDialogProps = DialogProps & {
  /** The version to activate. Null: no rules decide any more. */
  readonly version: VersionName | null;
  /** The activation that decides now, and the planned ones. */
  readonly activity: Activity;
};

/** Makes a version decide, at once or from a moment on, with a note. */
export function ActivateDialog({ version, activity, ...ends }: ActivateDialogProps) {
  const { active } = activity;
  const [values, setValues] = useState<Values>({ at: 'now', moment: '', note: '' });
  const bind = binder(values, setValues);
  const isLater = values.at === 'later';
  const done = version ? words.said : words.stopped;
  return (
    <FormDialog
      title={version ? words.title : words.stopTitle}
      submit={version ? words.open : words.stop}
      look={version ? 'primary' : 'danger'}
      summary={[
        [words.before, decidingName(active?.version ?? null)],
        [words.after, decidingName(version)],
      ]}
      isReady={!isLater || values.moment !== ''}
      run={(key) => activate(inputOf(version, values), key)}
      said={isLater ? words.planned : done}
      {...ends}
    >
      <p className="quiet">{words.text}</p>
      <Planned activity={activity} />
      {plannedOf(activity.activations, active).length > 0 && <p className="quiet">{activations.stays}</p>}
      <Segments {...bind('at')} label={words.when} options={optionsOf(words.at, ['now', 'later'])} />
      {isLater && (
        <TextField
          {...bind('moment')}
          path="activeFrom"
          label={words.moment}
          hint={words.momentHint}
          type="datetime-local"
          required
        />
      )}
      <TextField {...bind('note')} label={words.note} maxLength={500} />
    </FormDialog>
  );
}

type Values = { readonly at: 'now' | 'later'; readonly moment: string; readonly note: string };

const inputOf = (version: VersionName | null, { at, moment, note }: Values) => ({
  ...(version && { versionId: version.id }),
  ...(at === 'later' && { activeFrom: new Date(moment).toISOString() }),
  ...(note.trim() !== '' && { note: note.trim() }),
});
