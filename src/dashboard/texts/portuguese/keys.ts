import type { Texts } from '../english.ts';

/** The texts of API keys in Portuguese. */
export const keys: Texts['keys'] = {
  title: 'Chaves de API',
  add: 'Criar chave',
  column: {
    name: 'Nome',
    scopes: 'Escopos',
    state: 'Status',
    used: 'Último uso',
    created: 'Criação',
    acts: 'Ações',
  },
  active: 'Ativa',
  disabled: 'Desativada',
  never: 'Nunca',
  name: 'Nome',
  scopes: 'Escopos',
  scopesHint: 'Separados por espaços, por exemplo transactions.write *.read',
  acts: (name) => `Ações para ${name}`,
  disable: 'Desativar',
  enable: 'Ativar',
  revoke: 'Revogar tokens atuais',
  confirm: {
    disable: 'Cada token desta chave é recusado em até cinco segundos. Você pode reativar a chave.',
    enable: 'Os tokens desta chave voltam a ser aceitos.',
    revoke: 'Cada token emitido antes de agora é recusado. A chave assina novos.',
  },
  empty: { title: 'Ainda não há chaves', text: 'Um backend assina seus tokens de acesso com uma chave.' },
  secret: {
    title: 'A chave privada',
    text: 'Guarde esta chave no seu backend. O Paygraph não a guarda e nunca mais a mostra.',
    rotate: 'Para trocar, use a nova chave em todo lugar e depois desative a anterior.',
    done: 'Concluir',
  },
};
