import { clockOf, type Clock } from './clock.ts';

/** The former names that browsers still give, each with the present one. A browser takes both. */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
};

const present = (zone: string): string => RENAMED[zone] ?? zone;

/** The zone of the browser. */
export const BROWSER_ZONE = present(new Intl.DateTimeFormat().resolvedOptions().timeZone);

const KEY = 'paygraph.zone';

/** Returns the clock of a zone of the address, else of the kept zone, else of the browser's. Passes over unknown names. */
export function readClock(text: string | null): Clock {
  for (const name of [text, localStorage.getItem(KEY), BROWSER_ZONE])
    try {
      if (name !== null && name !== '') return clockOf(present(name));
    } catch {
      // A browser may know fewer zones than the one that kept the name.
    }
  return clockOf('UTC');
}

/** Keeps a zone in this browser. The browser's own zone is not kept, so that a browser on a journey changes it. */
export function keepZone(zone: string): void {
  if (zone === BROWSER_ZONE) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, zone);
}

/** Lists the zones that the browser knows: its own one, UTC, then the others by name. */
export const zonesOf = (): readonly string[] => [
  ...new Set([BROWSER_ZONE, 'UTC', ...Intl.supportedValuesOf('timeZone').map(present).sort()]),
];
