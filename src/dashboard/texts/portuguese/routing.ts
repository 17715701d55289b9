import type { Texts } from '../english.ts';

const LIST = new Intl.ListFormat('pt-BR', { type: 'conjunction' });

/** The texts about the route of a payment in Portuguese. */
export const routing: Texts['routing'] = {
  title: 'Roteamento',
  asked: 'Serviços na ordem das solicitações',
  passed: 'Descartados',
  present: 'Os motivos seguem as configurações atuais dos serviços. Elas podem ter mudado desde o pagamento.',
  open: 'Explicar o roteamento',
  dialogTitle: 'Qual serviço recebe um pagamento?',
  text: 'Descreva um pagamento. Nada é criado nem enviado. O valor não muda o roteamento.',
  submit: 'Encontrar a rota',
  nobody: 'Nenhum serviço aceita o pagamento.',
  next: 'Consultado se o serviço anterior falhar, ou recusar com um código que permite outra tentativa.',
  never: 'Aceita o pagamento, mas um serviço anterior encerra as tentativas.',
  spared: 'Aceita o pagamento, mas nenhuma outra tentativa chegou até aqui.',
  otherMethods: (names) => `De outro método: ${LIST.format(names)}.`,
  rest: (count) => `Mais ${count} serviços não são mostrados.`,
  state: { PENDING: 'Indefinido', SUCCEEDED: 'Escolhido', DECLINED: 'Recusado', FAILED: 'Com falha' },
  why: {
    REQUESTED: 'O pagamento indica este serviço.',
    FIRST: 'O primeiro serviço na ordem que aceita o pagamento.',
    AFTER_FAILURE: 'Consultado porque o serviço anterior falhou sem efeito.',
    AFTER_DECLINE: 'Consultado porque o serviço anterior recusou com um código que permite outra tentativa.',
  },
  candidate: { first: 'Consultado primeiro', next: 'Consultado depois', never: 'Nunca consultado' },
  reason: {
    INACTIVE: 'O serviço está desativado.',
    NOT_READY: 'O provedor recusou as credenciais.',
    METHOD: 'O serviço tem outro método.',
    CURRENCY: 'O serviço não aceita a moeda.',
    COUNTRY: 'O serviço não aceita o país.',
    NOT_REQUESTED: 'O pagamento indica outro serviço.',
    UNAVAILABLE: 'Esta instalação não pode usar o provedor.',
    INTENT: 'O serviço só pode capturar na hora.',
    THREE_D_SECURE: 'O serviço não autentica compradores.',
    THREE_D_SECURE_PASS_THROUGH: 'O serviço não aceita 3-D Secure feito em outro lugar.',
    INSTALLMENTS: 'O serviço não aceita parcelas.',
    RAW_CARD_DATA: 'O serviço não aceita números de cartão em claro.',
    APPLE_PAY: 'O serviço não aceita Apple Pay.',
    GOOGLE_PAY: 'O serviço não aceita Google Pay.',
    PROVIDER_TOKENS: 'O serviço não aceita tokens do software do provedor.',
    NETWORK_TOKENS: 'O serviço não aceita tokens de rede.',
    PAYMENT_METHOD_TOKENIZATION: 'O serviço não guarda métodos de pagamento no provedor.',
    PAYMENT_METHOD: 'O serviço não conhece o método de pagamento guardado.',
  },
};
