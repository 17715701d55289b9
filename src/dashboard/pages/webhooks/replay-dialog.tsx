import { useState } from 'react';
import type { ReplayEventsInput, ReplayScope } from '../../../client/generated/schema.ts';
import { api } from '../../app/data/api.ts';
import { binder, optionsOf, SelectField, TextField } from '../../design/form/field.tsx';
import { FormDialog, type DialogProps } from '../../design/form/form-dialog.tsx';
import { texts } from '../../texts/texts.ts';

const { replay: words } = texts.webhooks;

const SCOPES: readonly ReplayScope[] = ['FAILED', 'MISSING', 'ALL'];

/** Counts the events of a span first, and sends them after a second press. */
export function ReplayDialog({ endpointId, ...ends }: DialogProps & { readonly endpointId: string }) {
  const [values, setValues] = useState({ scope: 'FAILED' as ReplayScope, from: '', until: '' });
  /** The count is that of the values at its time, so another value forgets it. */
  const [count, setCount] = useState<number | null>(null);
  const { scope, from, until } = values;
  const input = { webhookEndpointId: endpointId, scope, from: momentOf(from), until: momentOf(until) };
  const bind = binder(values, (next) => {
    setValues(next);
    setCount(null);
  });
  return (
    <FormDialog
      title={words.open}
      submit={count === null || count === 0 ? words.count : words.submit(count)}
      isReady={count !== 0}
      summary={count === null ? [] : [[words.events, count]]}
      run={(key) => (count === null ? countReplay(input) : startReplay(input, key))}
      said={(counted) => (counted === null ? words.started : undefined)}
      onDone={(counted) => (counted === null ? ends.onClose() : setCount(counted))}
      {...ends}
    >
      <p className="quiet">{words.text}</p>
      <SelectField {...bind('scope')} label={words.scope} options={optionsOf(words.scopes, SCOPES)} />
      <div className="pair">
        {(['from', 'until'] as const).map((end) => (
          <TextField
            key={end}
            {...bind(end)}
            label={words[end]}
            hint={words[`${end}Hint`]}
            type="datetime-local"
          />
        ))}
      </div>
      {count === 0 && <p role="status">{words.nothing}</p>}
    </FormDialog>
  );
}

const momentOf = (typed: string): string | null => (typed === '' ? null : new Date(typed).toISOString());

/** Counts the events of a replay, and sends nothing. */
async function countReplay(input: ReplayEventsInput): Promise<number> {
  const { replayEvents } = await api.mutate({
    replayEvents: [{ input: { ...input, dryRun: true } }, { dryRunCount: true }],
  });
  return replayEvents.dryRunCount ?? 0;
}

async function startReplay(input: ReplayEventsInput, idempotencyKey: string): Promise<null> {
  await api.mutate({ replayEvents: [{ input, idempotencyKey }, { replayJobId: true }] });
  return null;
}
