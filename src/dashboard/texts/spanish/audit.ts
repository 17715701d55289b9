import type { Texts } from '../english.ts';

/** The texts of the audit log in Spanish. */
export const audit: Texts['audit'] = {
  title: 'Registro de auditoría',
  column: { action: 'Cambio', target: 'Objeto', actor: 'Por', before: 'Campos', at: 'Hora' },
  detail: { field: 'Campo', before: 'Antes', after: 'Después', address: 'Dirección' },
  filter: {
    action: 'Cambio, como buyer.updated o buyer.*',
    target: 'ID del objeto',
    subject: 'Nombre de la persona o sujeto de la clave',
    actor: 'ID del autor',
  },
  actor: {
    API_KEY: 'Clave de API',
    PERSON: 'Persona',
    BUYER: 'Comprador',
    PROVIDER: 'Proveedor',
    SYSTEM: 'Proceso interno',
    COMMAND: 'Comando',
    DATABASE: 'Base de datos',
  },
  empty: {
    title: 'Ningún cambio coincide',
    text: 'Cada cambio de un objeto tiene una entrada. Quite un filtro para ver más.',
  },
};
