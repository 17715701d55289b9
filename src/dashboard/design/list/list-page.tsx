import { useState, type ComponentProps, type ReactNode } from 'react';
import { PageHead } from '../../app/frame/shell.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../button.tsx';
import { Table } from './table.tsx';

type ListPageProps<Row> = Omit<ComponentProps<typeof Table<Row & { readonly id: string }>>, 'label'> & {
  readonly title: string;
  /** Stands at the end of the title's line. */
  readonly actions?: ReactNode;
  /** The sentence and the filters above the list. */
  readonly children?: ReactNode;
};

/** A page with a list of records. */
export const ListPage = <Row extends { readonly id: string }>({
  title,
  actions,
  children,
  ...table
}: ListPageProps<Row>) => (
  <>
    <PageHead title={title}>{actions}</PageHead>
    {children}
    <Table label={title} {...table} />
  </>
);

/** The filters above a list. */
export const Toolbar = ({ children }: { readonly children: ReactNode }) => (
  <div className="toolbar">{children}</div>
);

type Creation = {
  /** The button for those who may. It can stand in several places. */
  readonly add: ReactNode;
  /** The open dialog. */
  readonly creating: ReactNode;
};

/** Leads people with a scope to the dialog of a new record. */
export function useCreation(
  scope: string,
  label: string,
  dialog: (onClose: () => void) => ReactNode,
): Creation {
  const [isOpen, setOpen] = useState(false);
  return {
    add: useMay(scope) && (
      <Button icon="plus" look="primary" onPress={() => setOpen(true)}>
        {label}
      </Button>
    ),
    creating: isOpen && dialog(() => setOpen(false)),
  };
}
