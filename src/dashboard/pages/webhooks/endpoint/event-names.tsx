import { useId, useState } from 'react';
import { api } from '../../../app/data/api.ts';
import { useRead } from '../../../app/data/read.ts';
import { Problem } from '../../../design/problem.tsx';
import { texts } from '../../../texts/texts.ts';

const { form } = texts.webhooks;

/** Reads all kinds of events. */
const readEventTypes = async (signal: AbortSignal) =>
  (await api.query({ eventTypes: { name: true, description: true } }, { signal })).eventTypes;

type EventNamesProps = {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

/** Chooses the events of an endpoint: all of them, all of a kind of record, or single ones. */
export function EventNames({ chosen, onChange }: EventNamesProps) {
  const [isChosen, setChosen] = useState(chosen.length > 0);
  const name = useId();
  return (
    <fieldset className="field">
      <legend className="label">{form.events}</legend>
      <label className="choice">
        <input
          type="radio"
          name={name}
          checked={!isChosen}
          onChange={() => {
            setChosen(false);
            onChange([]);
          }}
        />
        {form.allEvents}
      </label>
      <label className="choice">
        <input type="radio" name={name} checked={isChosen} onChange={() => setChosen(true)} />
        {form.someEvents}
      </label>
      {isChosen && <Names chosen={chosen} onChange={onChange} />}
    </fieldset>
  );
}

function Names({ chosen, onChange }: EventNamesProps) {
  const { data, error, reload } = useRead('event-types', readEventTypes);
  const groups = Map.groupBy(data ?? [], ({ name }) => name.split('.')[0] ?? name);
  const toggle = (name: string, isOn: boolean): void =>
    onChange(isOn ? [...chosen, name] : chosen.filter((each) => each !== name));
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  return (
    <div className="names" role="group" aria-label={form.someEvents} tabIndex={0}>
      {[...groups].map(([group, types]) => {
        const pattern = `${group}.*`;
        const isWhole = chosen.includes(pattern) || chosen.includes('*');
        return (
          <div key={group}>
            <Name
              name={pattern}
              note={form.wholeGroup}
              isChecked={isWhole}
              onChange={(isOn) => {
                const others = chosen.filter((each) => !each.startsWith(`${group}.`));
                onChange(isOn ? [...others, pattern] : others);
              }}
            />
            {!isWhole &&
              types.map(({ name, description }) => (
                <Name
                  key={name}
                  name={name}
                  note={description}
                  isChecked={chosen.includes(name)}
                  onChange={(isOn) => toggle(name, isOn)}
                />
              ))}
          </div>
        );
      })}
    </div>
  );
}

type NameProps = {
  readonly name: string;
  readonly note: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
};

const Name = ({ name, note, isChecked, onChange }: NameProps) => (
  <label className="choice name">
    <input type="checkbox" checked={isChecked} onChange={({ target }) => onChange(target.checked)} />
    <span>
      <code>{name}</code> <span className="quiet">{note}</span>
    </span>
  </label>
);
