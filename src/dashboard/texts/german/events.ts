import type { Texts } from '../english.ts';

/** The texts of the page of events in German. */
export const events: Texts['events'] = {
  title: 'Ereignisse',
  filter: 'Angezeigte Ereignisse',
  all: 'Alle Ereignisse',
  keys: 'j und k bewegen, Enter öffnet, p pausiert',
  pause: 'Pausieren',
  resume: (count) => (count === 0 ? 'Fortsetzen' : `Fortsetzen, ${count} neu`),
  older: 'Ältere Ereignisse anzeigen',
  open: 'Datensatz öffnen',
  id: 'ID',
  payload: 'Nutzdaten',
  empty: {
    title: 'Noch keine Ereignisse',
    filteredTitle: 'Noch kein solches Ereignis',
    text: 'Jede Änderung einer Zahlung, eines Links oder eines anderen Datensatzes erscheint hier sofort.',
    all: 'Alle Ereignisse anzeigen',
    guide: 'Anleitung lesen',
  },
};
