import { useState } from 'react';
import type { ReplayEventsInput, ReplayScope } from '../../../client/generated/schema.ts';
import { useAct } from '../../app/act.ts';
import { mistakeAt } from '../../app/mistakes.ts';
import { SelectField, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { countReplay, startReplay } from './query.ts';

const { replay: words } = texts.webhooks;

type ReplayDialogProps = {
  readonly endpointId: string;
  readonly onClose: () => void;
  readonly onStarted: () => void;
};

const SCOPES: readonly ReplayScope[] = ['FAILED', 'MISSING', 'ALL'];

/** Counts the events of a span first, and sends them after a second press. */
export function ReplayDialog({ endpointId, onClose, onStarted }: ReplayDialogProps) {
  const act = useAct();
  const toast = useToast();
  const [scope, setScope] = useState<ReplayScope>('FAILED');
  const [span, setSpan] = useState<Span>({ from: '', until: '' });
  /** The count is that of the values at its time, so another value forgets it. */
  const [count, setCount] = useState<number | null>(null);
  const input: ReplayEventsInput = {
    ...{ webhookEndpointId: endpointId, scope },
    ...{ from: momentOf(span.from), until: momentOf(span.until) },
  };
  const change = (part: Partial<Span>): void => {
    setSpan({ ...span, ...part });
    setCount(null);
  };
  const finish = (): void => {
    toast('good', words.started);
    onStarted();
    onClose();
  };
  const submit = (): void => {
    if (count === null) act.run(() => countReplay(input), setCount);
    else act.run((key) => startReplay(input, key), finish);
  };
  return (
    <FormDialog
      title={words.open}
      act={act}
      submit={count === null || count === 0 ? words.count : words.submit(count)}
      isReady={count !== 0}
      summary={count === null ? [] : [[words.events, count]]}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="quiet">{words.text}</p>
      <SelectField
        label={words.scope}
        value={scope}
        options={SCOPES.map((each) => [each, words.scopes[each]])}
        onChange={(next) => {
          setScope(next);
          setCount(null);
        }}
      />
      <SpanFields span={span} onChange={change} error={act.error} />
      {count === 0 && <p role="status">{words.nothing}</p>}
    </FormDialog>
  );
}

type Span = { readonly from: string; readonly until: string };

type SpanFieldsProps = {
  readonly span: Span;
  readonly onChange: (part: Partial<Span>) => void;
  readonly error: unknown;
};

const SpanFields = ({ span, onChange, error }: SpanFieldsProps) => (
  <div className="pair">
    {(['from', 'until'] as const).map((end) => (
      <TextField
        key={end}
        label={words[end]}
        hint={words[`${end}Hint`]}
        mistake={mistakeAt(error, end)}
        type="datetime-local"
        value={span[end]}
        onChange={(typed) => onChange({ [end]: typed })}
      />
    ))}
  </div>
);

const momentOf = (typed: string): string | null => (typed === '' ? null : new Date(typed).toISOString());
