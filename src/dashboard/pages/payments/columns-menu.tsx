import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Icon } from '../../design/icon.tsx';
import { texts } from '../../texts/texts.ts';
import { OPTIONAL_COLUMNS, type ColumnName } from './columns.tsx';

type ColumnsMenuProps = {
  readonly columns: readonly ColumnName[];
  readonly onChange: (columns: readonly ColumnName[]) => void;
};

/** Chooses the columns of the grid. */
export function ColumnsMenu({ columns, onChange }: ColumnsMenuProps) {
  return (
    <MenuTrigger>
      <Button className="button" aria-label={texts.payments.columnsLabel}>
        <Icon name="columns" />
        <span className="wide">{texts.payments.columns}</span>
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu
          className="menu"
          aria-label={texts.payments.columnsLabel}
          selectionMode="multiple"
          selectedKeys={columns}
          onSelectionChange={(keys) => onChange(OPTIONAL_COLUMNS.filter((name) => new Set(keys).has(name)))}
        >
          {OPTIONAL_COLUMNS.map((name) => (
            <MenuItem key={name} id={name} className="menu-item" textValue={texts.payments.column[name]}>
              <span className="tick">{columns.includes(name) && <Icon name="tick" size={14} />}</span>
              {texts.payments.column[name]}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
