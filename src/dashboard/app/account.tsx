import { useState } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { Icon } from '../design/icon.tsx';
import { texts } from '../texts/texts.ts';
import type { Leaving } from './session.ts';
import { useSession } from './session-context.tsx';
import { chooseTheme, readTheme, type Theme } from './theme.ts';

/** Shows the signed-in person, with the look of the dashboard and the sign-out. */
export function Account({ onSignOut }: { readonly onSignOut: (leaving: Leaving) => void }) {
  const { person, role } = useSession();
  const [theme, setTheme] = useState<Theme>(readTheme);
  const choose = (next: Theme): void => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <MenuTrigger>
      <Button className="account-button">
        <span className="avatar" aria-hidden="true">
          {person.slice(0, 1)}
        </span>
        <span>
          <strong>{person}</strong>
          <small>{texts.account.role[role]}</small>
        </span>
      </Button>
      <Popover className="popover" placement="top start">
        <Menu className="menu">
          <MenuSection
            className="menu-section"
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[theme]}
            onSelectionChange={(keys) => choose([...new Set(keys)][0] as Theme)}
          >
            <Header className="menu-heading">{texts.account.theme}</Header>
            {(['system', 'light', 'dark'] as const).map((each) => (
              <MenuItem key={each} id={each} className="menu-item" textValue={texts.account.themes[each]}>
                <span className="tick">{each === theme && <Icon name="tick" size={14} />}</span>
                {texts.account.themes[each]}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection className="menu-section" aria-label={texts.account.signOut}>
            <MenuItem className="menu-item" onAction={() => onSignOut('this')}>
              <span className="tick" />
              {texts.account.signOut}
            </MenuItem>
            <MenuItem className="menu-item" onAction={() => onSignOut('all')}>
              <span className="tick" />
              {texts.account.signOutEverywhere}
            </MenuItem>
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
