import type { ComponentProps } from 'react';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Amount, type Money } from '../../design/value.tsx';

type ActDialogProps = Omit<ComponentProps<typeof FormDialog>, 'summary'> & {
  readonly summary: readonly (readonly [label: string, amount: Money])[];
};

/** A dialog that moves money, with the amounts before the act. */
export function ActDialog({ summary, ...rest }: ActDialogProps) {
  return <FormDialog {...rest} summary={summary.map(([label, money]) => [label, <Amount {...money} />])} />;
}
