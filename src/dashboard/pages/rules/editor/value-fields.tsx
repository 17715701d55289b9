import { useContext } from 'react';
import { mistakeBelow } from '../../../app/data/mistakes.ts';
import {
  AreaField,
  binder,
  FormError,
  optionsOf,
  SelectField,
  TextField,
} from '../../../design/form/field.tsx';
import { texts } from '../../../texts/texts.ts';
import { zonesOf } from '../../home/zone.ts';
import type { Own } from '../query.ts';
import { choicesOf, currenciesOf, setsOf, type Option } from './choices.ts';
import type { TestForm } from './form.ts';
import { KINDS } from './values.ts';

const { form: words, yes, no } = texts.routingRules;

type ValueFieldsProps = {
  readonly test: TestForm;
  readonly own: Own;
  readonly onChange: (test: TestForm) => void;
  /** The path of the test below `input`. */
  readonly path: string;
};

/** The fields for the values of a test, with the sentence of the API about them. */
export const ValueFields = (props: ValueFieldsProps) => (
  <>
    <Fields {...props} />
    <span className="mistake" role="alert">
      {mistakeBelow(useContext(FormError), props.path)}
    </span>
  </>
);

function Fields({ test, own, onChange }: ValueFieldsProps) {
  const { fact } = test;
  const bind = binder(test, onChange);
  const kind = KINDS[fact];
  const sets = <SelectField {...bind('set')} label={words.set} options={[NOTHING, ...setsOf(fact, own)]} />;
  const entry = <TextField {...bind('name')} label={words.entry} maxLength={100} required />;
  switch (kind) {
    case 'choices':
      return <Choices {...bind('chosen')} label={words.values} options={choicesOf(fact, own, test.chosen)} />;
    case 'flag':
      return <SelectField {...bind('flag')} label={words.values} options={optionsOf({ yes, no })} />;
    case 'amount':
      return (
        <div className="price">
          <SelectField
            {...bind('currency')}
            label={words.currency}
            options={[NOTHING, ...withChosen(currenciesOf(own), test.currency)]}
          />
          <Bounds {...{ test, onChange }} />
        </div>
      );
    case 'count':
      return (
        <div className="pair">
          <Bounds {...{ test, onChange }} />
        </div>
      );
    case 'ranges':
    case 'prefixes':
      return (
        <AreaField
          {...bind('text')}
          label={words.values}
          hint={kind === 'ranges' ? words.ranges : words.lines}
        />
      );
    case 'set':
      return sets;
    case 'entry':
      return (
        <>
          {entry}
          <AreaField {...bind('text')} label={words.values} hint={words.anyLines} />
        </>
      );
    case 'sharedEntry':
      return (
        <div className="pair">
          {entry}
          {sets}
        </div>
      );
    case 'hours':
      return <Hours {...{ test, own, onChange }} />;
  }
}

const NOTHING: Option = ['', words.choose];

const withChosen = (options: readonly Option[], chosen: string): readonly Option[] =>
  chosen === '' || options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen]];

type PartProps = Pick<ValueFieldsProps, 'test' | 'onChange'>;

function Bounds({ test, onChange }: PartProps) {
  const bind = binder(test, onChange);
  return (
    <>
      <TextField {...bind('min')} label={words.min} inputMode="decimal" />
      <TextField {...bind('max')} label={words.max} inputMode="decimal" />
    </>
  );
}

function Hours({ test, own, onChange }: Omit<ValueFieldsProps, 'path'>) {
  const bind = binder(test, onChange);
  return (
    <>
      <Choices {...bind('chosen')} label={words.days} options={choicesOf(test.fact, own, test.chosen)} />
      <div className="price">
        <SelectField {...bind('zone')} label={words.zone} options={withChosen(ZONES, test.zone)} />
        <TextField {...bind('start')} label={words.start} placeholder="22:00" maxLength={5} />
        <TextField {...bind('end')} label={words.end} placeholder="24:00" maxLength={5} />
      </div>
    </>
  );
}

const ZONES: readonly Option[] = zonesOf().map((zone) => [zone, zone.replaceAll('_', ' ')]);

type ChoicesProps = {
  readonly label: string;
  readonly value: readonly string[];
  readonly options: readonly Option[];
  readonly onChange: (chosen: readonly string[]) => void;
};

/** Several of some values, in the order of the list. */
function Choices({ label, value, options, onChange }: ChoicesProps) {
  const toggle = (each: string): void => {
    const next = value.includes(each) ? value.filter((one) => one !== each) : [...value, each];
    onChange(options.map(([one]) => one).filter((one) => next.includes(one)));
  };
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      <div>
        {options.map(([each, shown]) => (
          <label key={each} className="choice">
            <input type="checkbox" checked={value.includes(each)} onChange={() => toggle(each)} />
            {shown}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
