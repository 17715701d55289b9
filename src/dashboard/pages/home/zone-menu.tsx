import { useMemo } from 'react';
import {
  Autocomplete,
  Button,
  Dialog,
  DialogTrigger,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { Icon } from '../../design/icon.tsx';
import { LOCALE } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { BROWSER_ZONE, zonesOf } from './zone.ts';

const words = texts.home.zones;

type ZoneMenuProps = { readonly zone: string; readonly onChange: (zone: string) => void };

/** Chooses the time zone of the days: that of the browser, UTC, or another one by its name. */
export function ZoneMenu({ zone, onChange }: ZoneMenuProps) {
  return (
    <DialogTrigger>
      <Button className="button zone" aria-label={words.label(nameOf(zone))}>
        <Icon name="clock" />
        <span className="wide">{nameOf(zone)}</span>
      </Button>
      <Popover className="popover" placement="bottom end">
        <Dialog className="zone-dialog" aria-label={words.title}>
          {({ close }) => (
            <Zones
              zone={zone}
              onChange={(next) => {
                onChange(next);
                close();
              }}
            />
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function Zones({ zone, onChange }: ZoneMenuProps) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const entries = useMemo(entriesOf, []);
  return (
    <Autocomplete filter={contains}>
      <SearchField className="zone-search" aria-label={words.search} autoFocus>
        <Input className="input" role="combobox" aria-expanded="true" placeholder={words.search} />
      </SearchField>
      <ListBox
        className="menu zones"
        aria-label={words.title}
        items={entries}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[zone]}
        renderEmptyState={() => <p className="quiet">{words.none}</p>}
        onSelectionChange={(keys) => onChange(String([...new Set(keys)][0]))}
      >
        {({ id, name, offset }) => (
          <ListBoxItem id={id} className="menu-item" textValue={name}>
            <span className="tick">{id === zone && <Icon name="tick" size={14} />}</span>
            {name}
            <span className="quiet">{offset}</span>
          </ListBoxItem>
        )}
      </ListBox>
    </Autocomplete>
  );
}

const nameOf = (zone: string): string => zone.replaceAll('_', ' ');

const entriesOf = () =>
  zonesOf().map((zone) => ({
    id: zone,
    name: zone === BROWSER_ZONE ? words.browser(nameOf(zone)) : nameOf(zone),
    offset: offsetOf(zone),
  }));

/** Writes by how much a zone is ahead of UTC now. */
const offsetOf = (zone: string): string =>
  new Intl.DateTimeFormat(LOCALE, { timeZone: zone, timeZoneName: 'shortOffset' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';
