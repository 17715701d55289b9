import type { Texts } from '../english.ts';

type App = Pick<
  Texts,
  | 'language'
  | 'product'
  | 'skip'
  | 'navigation'
  | 'account'
  | 'live'
  | 'action'
  | 'order'
  | 'error'
  | 'notFound'
  | 'loading'
>;

/** The texts of the frame, the sign-in and the pieces in Spanish. */
export const app: App = {
  language: 'es',
  product: 'Paygraph',
  skip: 'Ir al contenido',
  navigation: {
    label: 'Menú principal',
    home: 'Inicio',
    payments: 'Pagos',
    links: 'Enlaces',
    buyers: 'Compradores',
    giftCards: 'Tarjetas regalo',
    unresolved: 'Sin resolver',
    differences: 'Diferencias',
    refundRequests: 'Solicitudes de reembolso',
    disputes: 'Disputas',
    settlements: 'Liquidaciones',
    connections: 'Conexiones',
    services: 'Servicios de pago',
    antiFraud: 'Antifraude',
    threeDS: 'Reglas 3-D Secure',
    developers: 'Desarrolladores',
    webhooks: 'Webhooks',
    events: 'Eventos',
    account: 'Cuenta',
    team: 'Equipo',
    keys: 'Claves de API',
    audit: 'Registro de auditoría',
    open: 'Abrir el menú',
    close: 'Cerrar el menú',
  },
  account: {
    role: { owner: 'Propietario', developer: 'Desarrollador', support: 'Soporte', analyst: 'Analista' },
    signOut: 'Cerrar sesión',
    signOutEverywhere: 'Cerrar todas las sesiones',
    theme: 'Apariencia',
    themes: { system: 'Como el sistema', light: 'Claro', dark: 'Oscuro' },
    language: 'Idioma',
    sandbox: 'Sandbox',
    sandboxNote: 'Aquí no se mueve dinero.',
  },
  live: {
    connecting: 'Conectando',
    connected: 'En vivo',
    disconnected: 'Reconectando',
    connectedHint: 'Los cambios aparecen solos.',
    disconnectedHint: 'Se cortó la conexión. Los cambios perdidos aparecen al reconectar.',
  },
  action: {
    cancel: 'Cancelar',
    running: 'En curso',
    more: 'Mostrar más',
    close: 'Cerrar',
    clear: 'Borrar',
    clearAll: 'Quitar filtros',
    apply: 'Aplicar',
    retry: 'Intentar de nuevo',
    copy: 'Copiar',
    copied: 'Copiado',
    remove: (what) => `Quitar el filtro ${what}`,
  },
  order: {
    hint: 'Arrastre para cambiar el orden o use las flechas.',
    move: (name) => `Mover ${name}`,
    said: (name, rank, count) => `${name} es el número ${rank} de ${count}.`,
    save: 'Guardar orden',
    discard: 'Descartar',
  },
  error: {
    title: 'No ha funcionado',
    code: (code) => `Código ${code}`,
    unreachable: 'El servicio no responde. Compruebe su conexión e inténtelo de nuevo.',
  },
  notFound: { title: 'Esta página no existe', back: 'Ir a los pagos' },
  loading: 'Cargando',
};
