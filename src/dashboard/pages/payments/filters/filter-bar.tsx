import { useState, type ReactNode } from 'react';
import { Button as AriaButton, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components';
import { useMay } from '../../../app/session-context.tsx';
import { Button } from '../../../design/button.tsx';
import { Icon } from '../../../design/icon.tsx';
import { texts } from '../../../texts/texts.ts';
import { AmountForm, CreatedForm, QuestionForm, StatusForm, WordsForm } from './filter-forms.tsx';
import { CHIPS, describe, NO_FILTERS, type Chip, type Filters } from './filters.ts';

export type FilterBarProps = {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
};

/** The filters as chips. A chip without a value is dashed, and opens its form. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const set = (chip: Chip, value: string): void => onChange({ ...filters, [chip]: value });
  // The filter needs the scope of disputes.
  const mayReadDisputes = useMay('disputes.read');
  const chips = CHIPS.filter((chip) => mayReadDisputes || chip !== 'disputed');
  const isFiltered = CHIPS.some((chip) => filters[chip] !== '');
  return (
    <div className="chips">
      {chips.map((chip) => (
        <FilterChip key={chip} chip={chip} value={filters[chip]} onChange={(value) => set(chip, value)} />
      ))}
      {isFiltered && (
        <Button look="plain" onPress={() => onChange({ ...NO_FILTERS, q: filters.q })}>
          {texts.action.clearAll}
        </Button>
      )}
    </div>
  );
}

type FilterChipProps = {
  readonly chip: Chip;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

function FilterChip({ chip, value, onChange }: FilterChipProps) {
  const label = texts.payments.filter[chip];
  const [isOpen, setOpen] = useState(false);
  const apply = (next: string): void => {
    onChange(next);
    setOpen(false);
  };
  return (
    <div className="chip" data-filled={value !== ''}>
      {value !== '' && (
        <AriaButton
          className="chip-remove"
          aria-label={texts.action.remove(label)}
          onPress={() => onChange('')}
        >
          <Icon name="close" size={12} />
        </AriaButton>
      )}
      <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
        <AriaButton className="chip-open">
          {value === '' && <Icon name="plus" size={12} />}
          {label}
          {value !== '' && <strong>{describe(chip, value)}</strong>}
        </AriaButton>
        <Popover className="popover" placement="bottom start">
          <Dialog className="popover-form">
            <Heading slot="title">{label}</Heading>
            {formOf(chip, value, apply)}
          </Dialog>
        </Popover>
      </DialogTrigger>
    </div>
  );
}

function formOf(chip: Chip, value: string, onApply: (value: string) => void): ReactNode {
  const props = { value, onApply };
  if (chip === 'status') return <StatusForm {...props} />;
  if (chip === 'created') return <CreatedForm {...props} />;
  if (chip === 'disputed' || chip === 'review') return <QuestionForm {...props} chip={chip} />;
  if (chip === 'amount') return <AmountForm {...props} />;
  const hint = chip === 'currency' ? texts.payments.currencyHint : texts.payments.methodHint;
  return <WordsForm {...props} label={texts.payments.filter[chip]} hint={hint} />;
}
