import { useState } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { Icon } from '../../design/icon.tsx';
import { chooseLanguage, LANGUAGES, type Language } from '../../texts/language.ts';
import { texts } from '../../texts/texts.ts';
import { go } from '../route.tsx';
import { useSession } from '../session-context.tsx';
import type { Leaving } from '../session.ts';
import { chooseTheme, readTheme, type Theme } from './theme.ts';

/** Shows the signed-in person, with the look and the language of the dashboard, and the sign-out. */
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
          {choices({
            label: texts.account.theme,
            names: texts.account.themes,
            chosen: theme,
            onChoose: choose,
          })}
          {choices({
            label: texts.account.language,
            names: LANGUAGES,
            chosen: texts.language as Language,
            onChoose: chooseLanguage,
          })}
          <MenuSection className="menu-section" aria-label={texts.account.signOut}>
            <MenuItem className="menu-item" onAction={() => go('account')}>
              <span className="tick" />
              {texts.ownAccount.title}
            </MenuItem>
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

type Choices<Key extends string> = {
  readonly label: string;
  readonly names: Readonly<Record<Key, string>>;
  readonly chosen: Key;
  readonly onChoose: (key: Key) => void;
};

/** A section of the menu, of which one item is chosen. The menu reads sections, so this is no component. */
const choices = <Key extends string>({ label, names, chosen, onChoose }: Choices<Key>) => (
  <MenuSection
    className="menu-section"
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[chosen]}
    onSelectionChange={(keys) => onChoose([...new Set(keys)][0] as Key)}
  >
    <Header className="menu-heading">{label}</Header>
    {(Object.keys(names) as Key[]).map((key) => (
      <MenuItem key={key} id={key} className="menu-item" textValue={names[key]}>
        <span className="tick">{key === chosen && <Icon name="tick" size={14} />}</span>
        {names[key]}
      </MenuItem>
    ))}
  </MenuSection>
);
