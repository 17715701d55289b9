import type { Texts } from '../english.ts';

/** The texts of people, sessions and keys in Portuguese. */
export const team: Texts['team'] = {
  title: 'Equipe',
  people: 'Pessoas',
  sessions: 'Sessões',
  invite: 'Convidar uma pessoa',
  column: {
    email: 'Endereço de e-mail',
    role: 'Função',
    state: 'Status',
    ways: 'Entra com',
    signedIn: 'Último acesso',
    acts: 'Ações',
    person: 'Pessoa',
    browser: 'Navegador',
    address: 'Endereço',
    since: 'Desde',
  },
  state: { INVITED: 'Convidado', ACTIVE: 'Ativo', SUSPENDED: 'Suspenso' },
  way: {
    SANDBOX: 'Nada, no sandbox',
    PASSWORD: 'Senha e código',
    RECOVERY_CODE: 'Senha e código de recuperação',
    PASSKEY: 'Chave de acesso',
    OIDC: 'Provedor de identidade',
  },
  provider: 'Provedor de identidade',
  password: 'Senha e código',
  passkeys: (count) => (count === 1 ? '1 chave de acesso' : `${count} chaves de acesso`),
  nothing: 'Nada ainda',
  never: 'Nunca',
  current: 'Esta sessão',
  unknownBrowser: 'Desconhecido',
  acts: (email) => `Ações para ${email}`,
  again: 'Convidar de novo',
  suspend: 'Suspender',
  resume: 'Readmitir',
  changeRole: 'Mudar a função',
  end: 'Encerrar a sessão',
  ended: 'A sessão foi encerrada.',
  changed: 'A alteração vale na hora.',
  empty: {
    title: 'Ninguém foi convidado ainda',
    text: 'Convide as pessoas que cuidam dos pagamentos, cada uma com uma função.',
  },
  role: {
    OWNER: 'Proprietário: tudo',
    DEVELOPER: 'Desenvolvedor: tudo, exceto chaves, pessoas e contas',
    SUPPORT: 'Suporte: pagamentos com seus compradores, e reembolsos',
    ANALYST: 'Analista: pagamentos sem seus compradores, só leitura',
  },
  confirm: {
    again:
      'A senha, os códigos e as chaves de acesso desta pessoa deixam de valer, e todas as sessões são encerradas.',
    suspend:
      'Todas as sessões desta pessoa são encerradas. Nenhum acesso funciona até você readmitir a pessoa.',
    resume: 'Esta pessoa pode entrar de novo com a mesma senha ou chave de acesso.',
  },
  invitation: {
    title: 'O convite',
    text: 'Envie este endereço à pessoa por um canal em que você confia. Ele vale uma vez, por 72 horas, e nunca mais é mostrado.',
    done: 'Concluir',
  },
};
