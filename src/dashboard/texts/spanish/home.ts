import type { Texts } from '../english.ts';

/** The texts of the home page in Spanish. */
export const home: Texts['home'] = {
  title: 'Inicio',
  span: 'Periodo',
  spans: { '1d': 'Hoy', '7d': '7 días', '30d': '30 días', '90d': '90 días' },
  currency: 'Moneda',
  volume: 'Volumen capturado',
  rate: 'Tasa de autorización',
  payments: 'Pagos',
  refunds: 'Reembolsos',
  disputes: 'Disputas perdidas',
  none: 'Ninguno',
  points: (points) => `${points.toFixed(1).replace('.', ',')} puntos`,
  before: (value) => `antes ${value}`,
  time: 'Hora',
  spanBefore: 'Periodo anterior',
  declines: 'Rechazos por motivo',
  showDeclines: 'Mostrar',
  noDeclines: 'No se rechazó ninguna autorización.',
  noReason: 'sin motivo',
  services: 'Servicios de pago por éxito',
  noServices: 'No se consultó ningún servicio de pago.',
  deletedService: 'Servicio de pago eliminado',
  attempts: (count) => (count === 1 ? '1 autorización' : `${count} autorizaciones`),
  zone: (zone) =>
    `Los días empiezan a medianoche en ${zone}. El periodo anterior es la misma parte de otros tantos días antes.`,
  zones: {
    title: 'Zona horaria',
    label: (zone) => `Zona horaria: ${zone}`,
    browser: (zone) => `${zone}, como el navegador`,
    search: 'Buscar una ciudad o UTC',
    none: 'Ninguna zona horaria se llama así.',
  },
  empty: 'No hay pagos en este periodo',
  emptyText: 'Elija un periodo más largo o acepte un primer pago.',
  showPayments: 'Mostrar los pagos',
};
