import { useState } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { Icon, type IconName } from '../../../design/icon.tsx';
import { useToast } from '../../../design/toast.tsx';
import { texts } from '../../../texts/texts.ts';
import type { ColumnName } from '../columns.tsx';
import type { Filters } from '../filters/filters.ts';
import { ViewDialog } from './view-dialog.tsx';
import { forgetView, GIVEN_VIEWS, isShown, readViews, saveView, type View } from './views.ts';

const { views: words } = texts.payments;

type ViewsMenuProps = {
  readonly filters: Filters;
  readonly columns: readonly ColumnName[];
  readonly onChoose: (view: View) => void;
};

/** Chooses a view of the list, and saves, renames and deletes own ones. */
export function ViewsMenu({ filters, columns, onChoose }: ViewsMenuProps) {
  const [own, setOwn] = useState(readViews);
  const [open, setOpen] = useState<'save' | 'rename' | null>(null);
  const toast = useToast();
  const present: View = { name: '', filters, columns };
  const shownOwn = own.find((view) => isShown(view, { filters, columns }));
  const shown = shownOwn ?? GIVEN_VIEWS.find((view) => isShown(view, { filters, columns }));
  const forget = ({ name }: View): void => {
    setOwn(forgetView(name));
    toast('good', words.deleted(name));
  };
  const save = (name: string): void => {
    const view = open === 'rename' && shownOwn ? shownOwn : present;
    setOwn(saveView({ ...view, name }, open === 'rename' ? shownOwn?.name : name));
    toast('good', words.saved(name));
    setOpen(null);
  };
  return (
    <>
      <MenuTrigger onOpenChange={(isOpen) => isOpen && setOwn(readViews())}>
        <Button className="button views-button" aria-label={shown ? words.label(shown.name) : words.title}>
          <Icon name="views" />
          <span className="wide">{shown?.name ?? words.title}</span>
        </Button>
        <Popover className="popover" placement="bottom start">
          <Menu className="menu" aria-label={words.title}>
            <Views of="given" views={GIVEN_VIEWS} shown={shown} onChoose={onChoose} />
            {own.length > 0 && <Views of="own" views={own} shown={shown} onChoose={onChoose} />}
            <MenuSection className="menu-section" aria-label={words.acts}>
              {!shownOwn && <Act name={words.save} icon="plus" act={() => setOpen('save')} />}
              {shownOwn && <Act name={words.rename} icon="pencil" act={() => setOpen('rename')} />}
              {shownOwn && <Act name={words.delete} icon="trash" isDanger act={() => forget(shownOwn)} />}
            </MenuSection>
          </Menu>
        </Popover>
      </MenuTrigger>
      {open !== null && (
        <ViewDialog
          view={open === 'rename' && shownOwn ? shownOwn : present}
          taken={own.map(({ name }) => name)}
          onSave={save}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

type ViewsProps = {
  /** Parts the ids of the sections, because an own view may have the name of a given one. */
  readonly of: 'given' | 'own';
  readonly views: readonly View[];
  readonly shown: View | undefined;
  readonly onChoose: (view: View) => void;
};

function Views({ of, views, shown, onChoose }: ViewsProps) {
  const idOf = ({ name }: View): string => `${of} ${name}`;
  return (
    <MenuSection
      className="menu-section"
      selectionMode="single"
      selectedKeys={shown && views.includes(shown) ? [idOf(shown)] : []}
      onSelectionChange={(keys) => {
        const chosen = views.find((view) => new Set(keys).has(idOf(view)));
        if (chosen) onChoose(chosen);
      }}
    >
      <Header className="menu-heading">{words[of]}</Header>
      {views.map((view) => (
        <MenuItem key={view.name} id={idOf(view)} className="menu-item" textValue={view.name}>
          <span className="tick">{view === shown && <Icon name="tick" size={14} />}</span>
          <span className="view-name">{view.name}</span>
        </MenuItem>
      ))}
    </MenuSection>
  );
}

type ActProps = {
  readonly name: string;
  readonly icon: IconName;
  readonly isDanger?: boolean;
  readonly act: () => void;
};

const Act = ({ name, icon, isDanger = false, act }: ActProps) => (
  <MenuItem className={isDanger ? 'menu-item danger' : 'menu-item'} textValue={name} onAction={act}>
    <Icon name={icon} size={14} />
    {name}
  </MenuItem>
);
