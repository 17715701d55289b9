import { useId, useState, type ReactNode } from 'react';
import { Button } from '../../../design/button.tsx';
import { texts } from '../../../texts/texts.ts';
import { ANSWERS, pairOf, SPANS, STATUSES, wordsOf, type Question, type Span } from './filters.ts';

export type FormProps = { readonly value: string; readonly onApply: (value: string) => void };

type FormFrameProps = { readonly children: ReactNode; readonly onSubmit: () => void };

function FormFrame({ children, onSubmit }: FormFrameProps) {
  return (
    <form
      className="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <Button look="primary" submits>
        {texts.action.apply}
      </Button>
    </form>
  );
}

/** Chooses states of payments. */
export function StatusForm({ value, onApply }: FormProps) {
  const [chosen, setChosen] = useState<readonly string[]>(() => wordsOf(value));
  const toggle = (status: string, isChosen: boolean): void =>
    setChosen((all) => (isChosen ? [...all, status] : all.filter((each) => each !== status)));
  return (
    <FormFrame onSubmit={() => onApply(chosen.join(','))}>
      <div>
        {STATUSES.map((status) => (
          <label key={status} className="choice">
            <input
              type="checkbox"
              checked={chosen.includes(status)}
              onChange={({ target }) => toggle(status, target.checked)}
            />
            {texts.payments.status[status]}
          </label>
        ))}
      </div>
    </FormFrame>
  );
}

/** Chooses a span before now, or two days. */
export function CreatedForm({ value, onApply }: FormProps) {
  const [[from, until], setDays] = useState(() =>
    value.includes('..') ? pairOf(value) : (['', ''] as const),
  );
  const name = useId();
  return (
    <FormFrame onSubmit={() => onApply(from === '' && until === '' ? value : `${from}..${until}`)}>
      <div>
        {(Object.keys(SPANS) as readonly Span[]).map((span) => (
          <label key={span} className="choice">
            <input type="radio" name={name} checked={value === span} onChange={() => onApply(span)} />
            {texts.payments.span[span]}
          </label>
        ))}
      </div>
      <Pair
        type="date"
        labels={[texts.payments.from, texts.payments.until]}
        values={[from, until]}
        onChange={setDays}
      />
    </FormFrame>
  );
}

/** Chooses the answer to a question about each payment. */
export function QuestionForm({ chip, value, onApply }: FormProps & { readonly chip: Question }) {
  const [chosen, setChosen] = useState(value);
  const name = useId();
  return (
    <FormFrame onSubmit={() => onApply(chosen)}>
      <div>
        {ANSWERS.map((answer) => (
          <label key={answer} className="choice">
            <input type="radio" name={name} checked={chosen === answer} onChange={() => setChosen(answer)} />
            {texts.payments[chip][answer]}
          </label>
        ))}
      </div>
    </FormFrame>
  );
}

/** Chooses the smallest and the largest amount. */
export function AmountForm({ value, onApply }: FormProps) {
  const [[least, most], setAmounts] = useState(() => pairOf(value));
  const isEmpty = least.trim() === '' && most.trim() === '';
  return (
    <FormFrame onSubmit={() => onApply(isEmpty ? '' : `${least.trim()}..${most.trim()}`)}>
      <Pair
        type="text"
        labels={[texts.payments.minimum, texts.payments.maximum]}
        values={[least, most]}
        onChange={setAmounts}
      />
    </FormFrame>
  );
}

/** Chooses words. */
export function WordsForm({
  value,
  label,
  hint,
  onApply,
}: FormProps & { readonly label: string; readonly hint: string }) {
  const [text, setText] = useState(() => wordsOf(value).join(', '));
  const id = useId();
  return (
    <FormFrame onSubmit={() => onApply(wordsOf(text).join(','))}>
      <div className="field">
        <label htmlFor={id} className="visually-hidden">
          {label}
        </label>
        <input
          id={id}
          className="input"
          value={text}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => setText(target.value)}
        />
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      </div>
    </FormFrame>
  );
}

type PairProps = {
  readonly type: 'date' | 'text';
  readonly labels: readonly [string, string];
  readonly values: readonly [string, string];
  readonly onChange: (values: readonly [string, string]) => void;
};

function Pair({ type, labels, values: [from, until], onChange }: PairProps) {
  const id = useId();
  const mode = type === 'text' ? { inputMode: 'decimal' as const } : {};
  return (
    <div className="pair">
      <div className="field">
        <label htmlFor={`${id}-from`}>{labels[0]}</label>
        <input
          {...{ id: `${id}-from`, className: 'input', type, value: from, ...mode }}
          onChange={({ target }) => onChange([target.value, until])}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-until`}>{labels[1]}</label>
        <input
          {...{ id: `${id}-until`, className: 'input', type, value: until, ...mode }}
          onChange={({ target }) => onChange([from, target.value])}
        />
      </div>
    </div>
  );
}
