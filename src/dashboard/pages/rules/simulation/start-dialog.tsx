import { useState } from 'react';
import { go } from '../../../app/route.tsx';
import { binder, SelectField } from '../../../design/form/field.tsx';
import { FormDialog } from '../../../design/form/form-dialog.tsx';
import { texts } from '../../../texts/texts.ts';
import { addressOf } from '../activity.tsx';
import type { VersionName } from '../query.ts';
import { versionName } from '../words.ts';
import { simulate } from './query.ts';

const { routingSimulations: words } = texts;

const DAY_MS = 86_400_000;
/** The parts of the payments to play, in percent. */
const SAMPLES = ['100', '10', '1'];

type StartDialogProps = { readonly version: VersionName; readonly onClose: () => void };

/** Starts a simulation of a version for a period, and leads to it. */
export function StartDialog({ version, onClose }: StartDialogProps) {
  const [values, setValues] = useState({ days: '30', sample: '100' });
  const bind = binder(values, setValues);
  return (
    <FormDialog
      title={words.startTitle}
      submit={words.start}
      summary={[[words.version, versionName(version)]]}
      run={(key) => simulate(inputOf(version, values), key)}
      onDone={(id) => {
        onClose();
        go(`${addressOf(version)}&simulation=${id}`);
      }}
      onClose={onClose}
    >
      <p className="quiet">{words.text}</p>
      <SelectField
        {...bind('days')}
        path="from"
        label={words.period}
        options={['7', '30', '90', '365'].map((days) => [days, words.days(Number(days))] as const)}
      />
      <SelectField
        {...bind('sample')}
        label={words.sample}
        hint={words.sampleHint}
        options={SAMPLES.map((sample) => [sample, `${sample} %`] as const)}
      />
    </FormDialog>
  );
}

type Values = { readonly days: string; readonly sample: string };

const inputOf = ({ id }: VersionName, { days, sample }: Values) => ({
  versionId: id,
  from: new Date(Date.now() - Number(days) * DAY_MS).toISOString(),
  sample: Number(sample),
});
