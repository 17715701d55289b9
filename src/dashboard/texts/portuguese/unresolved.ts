import type { Texts } from '../english.ts';

/** The texts about operations whose outcome is unknown, in Portuguese. */
export const unresolved: Texts['unresolved'] = {
  title: 'Sem resultado',
  text: 'O provedor não deu uma resposta clara a estas operações. Seus valores continuam reservados, e nada é feito duas vezes.',
  operation: (kind, amount) => `${kind} de ${amount}`,
  at: (service) => `em ${service}`,
  since: 'desconhecido desde',
  next: 'próxima consulta',
  key: 'Chave no provedor:',
  still: 'Resultado desconhecido',
  status: { PENDING: 'Em andamento', SUCCEEDED: 'Sucesso', DECLINED: 'Recusada', FAILED: 'Falhou' },
  cause: {
    TIMEOUT: 'Tempo esgotado',
    CONNECTION: 'Conexão caiu',
    SERVER_ERROR: 'Falha do provedor',
    UNREADABLE: 'Resposta ilegível',
    INTERRUPTED: 'Interrompida',
    UNDECIDED: 'Não decidida a tempo',
  },
  advice: {
    wait: 'O Paygraph continua consultando o provedor, e você não precisa agir. Se souber o resultado, registre-o.',
    person:
      'O Paygraph não consulta mais. Procure a operação no provedor pela chave e depois registre o resultado.',
  },
  empty: {
    title: 'Todos os resultados são conhecidos',
    text: 'Uma operação aparece aqui se o provedor não responder a tempo ou com clareza.',
    payments: 'Mostrar os pagamentos',
    guide: 'Saber mais sobre resultados desconhecidos',
  },
  sync: {
    open: 'Consultar provedor',
    running: 'Consultando',
    title: 'Resposta do provedor',
    nothing: 'Nenhuma operação está em andamento, ou o Paygraph já está consultando.',
    later: 'O Paygraph continua consultando as operações sem resultado.',
    done: 'O pagamento tem o novo status.',
  },
  resolve: {
    open: 'Registrar resultado',
    title: (operation) => `Registrar o resultado: ${operation}`,
    text: 'Procure antes a operação nos registros do provedor. Um resultado registrado não pode ser alterado.',
    outcome: 'Resultado no provedor',
    outcomes: { SUCCEEDED: 'Sucesso', FAILED: 'Falha' },
    reason: 'Evidência',
    reasonHint: 'O histórico do pagamento a guarda com seu nome. No máximo 500 caracteres.',
    reference: 'ID do provedor',
    referenceHint: 'Opcional. O ID do pagamento, da captura ou do reembolso no provedor.',
    amount: 'Valor',
    effect: 'Efeito',
    effects: { SUCCEEDED: 'A operação conta como feita', FAILED: 'O valor reservado é liberado' },
    submit: { SUCCEEDED: 'Registrar como sucesso', FAILED: 'Registrar como falha' },
    recorded: 'O resultado foi registrado.',
  },
};
