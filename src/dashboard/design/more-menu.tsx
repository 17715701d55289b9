import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Icon, type IconName } from './icon.tsx';

type Item = {
  readonly name: string;
  readonly icon: IconName;
  readonly act: () => void;
  readonly isDanger?: boolean;
};

/** A menu of rarer acts behind three dots. */
export function MoreMenu({ label, items }: { readonly label: string; readonly items: readonly Item[] }) {
  return (
    <MenuTrigger>
      <Button className="button icon" aria-label={label}>
        <Icon name="more" />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={label}>
          {items.map(({ name, icon, act, isDanger = false }) => (
            <MenuItem
              key={name}
              className={isDanger ? 'menu-item danger' : 'menu-item'}
              textValue={name}
              onAction={act}
            >
              <Icon name={icon} size={14} />
              {name}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
