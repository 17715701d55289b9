import type { Texts } from '../english.ts';

/** The texts of the page of events in Spanish. */
export const events: Texts['events'] = {
  title: 'Eventos',
  filter: 'Eventos mostrados',
  all: 'Todos los eventos',
  keys: 'j y k mueven, Enter abre, p pausa',
  pause: 'Pausar',
  resume: (count) => {
    if (count === 0) return 'Reanudar';
    return count === 1 ? 'Reanudar, 1 nuevo' : `Reanudar, ${count} nuevos`;
  },
  older: 'Mostrar eventos anteriores',
  open: 'Abrir el objeto',
  id: 'ID',
  payload: 'Contenido',
  empty: {
    title: 'Todavía no hay eventos',
    filteredTitle: 'Todavía no hay eventos de este tipo',
    text: 'Cada cambio de un pago, un enlace u otro objeto aparece aquí al instante.',
    all: 'Mostrar todos los eventos',
    guide: 'Leer la guía',
  },
};
