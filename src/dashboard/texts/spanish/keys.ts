import type { Texts } from '../english.ts';

/** The texts of API keys in Spanish. */
export const keys: Texts['keys'] = {
  title: 'Claves de API',
  add: 'Crear clave',
  column: {
    name: 'Nombre',
    scopes: 'Permisos',
    state: 'Estado',
    used: 'Último uso',
    created: 'Creada',
    acts: 'Acciones',
  },
  active: 'Activa',
  disabled: 'Desactivada',
  never: 'Nunca',
  name: 'Nombre',
  scopes: 'Permisos',
  scopesHint: 'Separados por espacios, por ejemplo transactions.write *.read',
  acts: (name) => `Acciones para ${name}`,
  disable: 'Desactivar',
  enable: 'Activar',
  revoke: 'Revocar todos los tokens hasta ahora',
  confirm: {
    disable:
      'Cada token de esta clave se rechaza en menos de cinco segundos. Puede volver a activar la clave.',
    enable: 'Los tokens de esta clave se aceptan de nuevo.',
    revoke: 'Se rechaza cada token emitido hasta ahora. La clave firma otros nuevos.',
  },
  empty: { title: 'Todavía no hay claves', text: 'Un backend firma sus tokens de acceso con una clave.' },
  secret: {
    title: 'La clave privada',
    text: 'Guarde esta clave en su backend. Paygraph no la guarda ni vuelve a mostrarla.',
    rotate: 'Para rotarla, use la clave nueva en todas partes y desactive después la anterior.',
    done: 'Listo',
  },
};
