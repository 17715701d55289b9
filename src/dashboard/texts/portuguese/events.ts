import type { Texts } from '../english.ts';

/** The texts of the page of events in Portuguese. */
export const events: Texts['events'] = {
  title: 'Eventos',
  filter: 'Eventos a mostrar',
  all: 'Todos os eventos',
  keys: 'j e k movem, Enter abre, p pausa',
  pause: 'Pausar',
  resume: (count) => (count === 0 ? 'Continuar' : `Continuar, ${count === 1 ? '1 novo' : `${count} novos`}`),
  older: 'Mostrar eventos anteriores',
  open: 'Abrir o registro',
  id: 'ID',
  payload: 'Conteúdo',
  empty: {
    title: 'Ainda não há eventos',
    filteredTitle: 'Ainda não há eventos desse tipo',
    text: 'Cada mudança de um pagamento, de um link ou de outro registro aparece aqui na hora.',
    all: 'Mostrar todos os eventos',
    guide: 'Ler o guia',
  },
};
