import type { Texts } from '../english.ts';

/** The texts of the audit log in Portuguese. */
export const audit: Texts['audit'] = {
  title: 'Log de auditoria',
  column: { action: 'Alteração', target: 'Registro', actor: 'Por', before: 'Campos', at: 'Hora' },
  detail: { field: 'Campo', before: 'Antes', after: 'Depois', address: 'Endereço' },
  filter: {
    action: 'Alteração, como buyer.updated ou buyer.*',
    target: 'ID do registro',
    subject: 'Nome da pessoa ou sujeito da chave',
    actor: 'ID do autor',
  },
  actor: {
    API_KEY: 'Chave de API',
    PERSON: 'Pessoa',
    BUYER: 'Comprador',
    PROVIDER: 'Provedor',
    SYSTEM: 'Tarefa de fundo',
    COMMAND: 'Comando',
    DATABASE: 'Banco de dados',
  },
  empty: {
    title: 'Nenhuma alteração encontrada',
    text: 'Cada alteração de um registro tem uma entrada. Limpe um filtro para ver mais.',
  },
};
