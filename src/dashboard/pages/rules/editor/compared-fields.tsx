import { Button, IconButton } from '../../../design/button.tsx';
import { binder, SelectField, TextField } from '../../../design/form/field.tsx';
import { texts } from '../../../texts/texts.ts';
import { SCHEMES } from '../../services/profile.ts';
import type { Own } from '../query.ts';
import { schemeName } from '../words.ts';
import { choicesOf, currenciesOf, type Option } from './choices.ts';
import { newPrice, type PriceForm } from './compared.ts';
import type { RuleForm } from './form.ts';

const { form: words, fact: facts } = texts.routingRules;

/** The most prices of a rule. */
const PRICES_MAX = 100;

type ComparedFieldsProps = {
  readonly value: RuleForm;
  readonly own: Own;
  readonly onChange: (rule: RuleForm) => void;
  /** The path of the action below `input`, with a dot at its end. */
  readonly path: string;
};

/** The terms of an order by success. */
export function SuccessFields({ value, onChange, path }: Omit<ComparedFieldsProps, 'own'>) {
  const bind = binder(value, onChange);
  return (
    <>
      <TextField
        {...bind('hours')}
        path={`${path}bySuccess.lastHours`}
        label={words.hours}
        hint={words.hoursHint}
        inputMode="numeric"
        maxLength={3}
        required
      />
      <TextField
        {...bind('cases')}
        path={`${path}bySuccess.minimumCases`}
        label={words.cases}
        hint={words.casesHint}
        inputMode="numeric"
        maxLength={6}
        required
      />
      <TextField
        {...bind('kept')}
        path={`${path}bySuccess.keepShare`}
        label={words.kept}
        hint={words.keptHint}
        inputMode="numeric"
        maxLength={2}
        required
      />
    </>
  );
}

/** The prices of an order by cost. */
export function PriceFields({ value, own, onChange, path }: ComparedFieldsProps) {
  const { prices, order } = value;
  const change = (next: readonly PriceForm[]): void => onChange({ ...value, prices: next });
  const services = order.services.map(
    (id) => [id, own.services.find((each) => each.id === id)?.displayName ?? id] as const,
  );
  const [first] = order.services;
  return (
    <>
      {prices.map((price, at) => (
        <fieldset key={at} className="profile" aria-label={words.price(at + 1)}>
          <PriceRow
            {...{ price, own, services }}
            path={`${path}byCost.table.${at}.`}
            onChange={(next) => change(prices.with(at, next))}
          />
          <IconButton
            icon="trash"
            label={words.removePrice(at + 1)}
            onPress={() => change(prices.toSpliced(at, 1))}
          />
        </fieldset>
      ))}
      {first !== undefined && prices.length < PRICES_MAX && (
        <div>
          <Button icon="plus" onPress={() => change([...prices, newPrice(first)])}>
            {words.addPrice}
          </Button>
        </div>
      )}
    </>
  );
}

type PriceRowProps = {
  readonly price: PriceForm;
  readonly own: Own;
  readonly services: readonly Option[];
  readonly path: string;
  readonly onChange: (price: PriceForm) => void;
};

function PriceRow({ price, own, services, path, onChange }: PriceRowProps) {
  const bind = binder(price, onChange, path);
  const currencies = currenciesOf(own);
  return (
    <>
      <SelectField
        {...bind('service')}
        path={`${path}paymentServiceId`}
        label={words.service}
        options={services}
      />
      <SelectField
        {...bind('scheme')}
        label={facts.scheme}
        options={[['', words.any], ...SCHEMES.map((scheme) => [scheme, schemeName(scheme)] as const)]}
      />
      <SelectField
        {...bind('country')}
        label={facts.country}
        options={[['', words.any], ...choicesOf('country', own, chosen(price.country))]}
      />
      <TextField
        {...bind('percentage')}
        label={words.percentage}
        hint={words.percentageHint}
        inputMode="decimal"
        maxLength={7}
        required
      />
      <TextField {...bind('fixed')} label={words.fixed} hint={words.fixedHint} inputMode="decimal" />
      <SelectField
        {...bind('currency')}
        path={`${path}fixed.currency`}
        label={words.currency}
        options={[['', words.choose], ...currencies, ...missing(price.currency, currencies)]}
      />
    </>
  );
}

const chosen = (value: string): readonly string[] => (value === '' ? [] : [value]);

/** Keeps a chosen value that the account has no longer. */
const missing = (value: string, options: readonly Option[]): readonly Option[] =>
  value === '' || options.some(([known]) => known === value) ? [] : [[value, value]];
