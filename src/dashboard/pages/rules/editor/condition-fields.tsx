import { Button, IconButton } from '../../../design/button.tsx';
import { binder, optionsOf, SelectField } from '../../../design/form/field.tsx';
import { texts } from '../../../texts/texts.ts';
import type { Own } from '../query.ts';
import type { FactName } from '../rule.ts';
import { factsFor } from './choices.ts';
import { newTest, withoutTest, type ConditionForm, type TestForm } from './form.ts';
import { ValueFields } from './value-fields.tsx';

const { form: words } = texts.routingRules;

/** The most conditions of a rule. */
const CONDITIONS_MAX = 20;

type ConditionsProps = {
  readonly value: readonly ConditionForm[];
  readonly own: Own;
  readonly onChange: (conditions: readonly ConditionForm[]) => void;
  /** The path of the conditions below `input`. */
  readonly path: string;
};

/** The conditions of a rule. All must hold. */
export const ConditionFields = ({ value, own, onChange, path }: ConditionsProps) => (
  <>
    {value.map((condition, at) => (
      <OneCondition
        // Conditions have no name, and their fields are controlled.
        key={at}
        {...{ condition, own }}
        name={words.condition(at + 1)}
        path={`${path}.${at}`}
        onChange={(next) => onChange(next.tests.length === 0 ? value.toSpliced(at, 1) : value.with(at, next))}
      />
    ))}
    {value.length < CONDITIONS_MAX && (
      <div>
        <Button
          icon="plus"
          onPress={() => onChange([...value, { tests: [newTest('currency')], hold: 'any' }])}
        >
          {words.addCondition}
        </Button>
      </div>
    )}
  </>
);

type ConditionProps = {
  readonly condition: ConditionForm;
  readonly own: Own;
  readonly name: string;
  readonly path: string;
  readonly onChange: (condition: ConditionForm) => void;
};

function OneCondition({ condition, own, name, path, onChange }: ConditionProps) {
  const { tests } = condition;
  const bind = binder(condition, onChange);
  const isOne = tests.length === 1;
  return (
    <fieldset className="profile" aria-label={name}>
      {!isOne && (
        <SelectField
          {...bind('hold')}
          label={words.several}
          options={optionsOf(words.severalHold, ['any', 'none'])}
        />
      )}
      {tests.map((test, at) => (
        <OneTest
          key={at}
          {...{ test, own }}
          path={isOne ? `${path}.fact` : `${path}.anyOf.${at}`}
          onChange={(next) => onChange({ ...condition, tests: tests.with(at, next) })}
          onRemove={() => onChange(withoutTest(condition, at))}
        />
      ))}
      {tests.length < CONDITIONS_MAX && (
        <div>
          <Button
            look="plain"
            icon="plus"
            onPress={() =>
              onChange({ ...condition, tests: [...tests, newTest(tests[0]?.fact ?? 'currency')] })
            }
          >
            {words.addTest}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

type TestProps = {
  readonly test: TestForm;
  readonly own: Own;
  readonly path: string;
  readonly onChange: (test: TestForm) => void;
  readonly onRemove: () => void;
};

function OneTest({ test, own, path, onChange, onRemove }: TestProps) {
  const bind = binder(test, onChange);
  const choose = (fact: FactName): void => onChange({ ...newTest(fact), is: test.is });
  return (
    <div className="one-test">
      <div className="rule-test">
        <SelectField
          label={words.fact}
          value={test.fact}
          options={factsFor(own, test.fact)}
          onChange={choose}
        />
        <SelectField
          {...bind('is')}
          path={undefined}
          label={words.holds}
          options={optionsOf(words.isNot, ['is', 'not'])}
        />
        <IconButton icon="trash" label={words.removeTest} onPress={onRemove} />
      </div>
      <ValueFields {...{ test, own, path, onChange }} />
    </div>
  );
}
