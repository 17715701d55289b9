import type { Texts } from '../english.ts';

const POINTS = new Intl.NumberFormat('pt', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The texts of the home page in Portuguese. */
export const home: Texts['home'] = {
  title: 'Início',
  span: 'Período',
  spans: { '1d': 'Hoje', '7d': '7 dias', '30d': '30 dias', '90d': '90 dias' },
  currency: 'Moeda',
  volume: 'Volume capturado',
  rate: 'Taxa de autorização',
  payments: 'Pagamentos',
  refunds: 'Reembolsos',
  disputes: 'Contestações perdidas',
  none: 'Nenhum',
  points: (points) => `${POINTS.format(points)} pontos`,
  before: (value) => `${value} antes`,
  time: 'Data',
  spanBefore: 'Período anterior',
  declines: 'Recusas por motivo',
  showDeclines: 'Mostrar',
  noDeclines: 'Nenhuma autorização foi recusada.',
  noReason: 'sem motivo',
  services: 'Serviços de pagamento por sucesso',
  noServices: 'Nenhum serviço de pagamento foi consultado.',
  deletedService: 'Serviço de pagamento excluído',
  attempts: (count) => (count === 1 ? '1 autorização' : `${count} autorizações`),
  zone: (zone) =>
    `Os dias começam à meia-noite (${zone}). O período anterior é a mesma parte de outros tantos dias antes.`,
  zones: {
    title: 'Fuso horário',
    label: (zone) => `Fuso horário: ${zone}`,
    browser: (zone) => `${zone}, como o navegador`,
    search: 'Buscar uma cidade ou UTC',
    none: 'Nenhum fuso horário tem esse nome.',
  },
  empty: 'Nenhum pagamento neste período',
  emptyText: 'Escolha um período maior ou receba um primeiro pagamento.',
  showPayments: 'Mostrar os pagamentos',
};
