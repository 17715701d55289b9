import type { Texts } from '../english.ts';

const LIST = new Intl.ListFormat('es', { type: 'conjunction' });

/** The texts about the route of a payment in Spanish. */
export const routing: Texts['routing'] = {
  title: 'Enrutamiento',
  asked: 'Servicios en el orden de las peticiones',
  passed: 'Descartados',
  present: 'Los motivos siguen los ajustes actuales de los servicios. Pueden haber cambiado desde el pago.',
  open: 'Explicar el enrutamiento',
  dialogTitle: '¿Qué servicio recibe un pago?',
  text: 'Describa un pago. No se crea ni se envía nada. El importe no influye en el enrutamiento.',
  submit: 'Buscar la ruta',
  nobody: 'Ningún servicio acepta el pago.',
  next: 'Se consulta si el servicio anterior falla, o rechaza con un código que permite otro intento.',
  never: 'Acepta el pago, pero un servicio anterior termina los intentos.',
  spared: 'Acepta el pago, pero ningún otro intento llegó hasta aquí.',
  otherMethods: (names) => `De otro medio de pago: ${LIST.format(names)}.`,
  rest: (count) => `No se muestran ${count} servicios más.`,
  state: { PENDING: 'Sin decidir', SUCCEEDED: 'Elegido', DECLINED: 'Rechazado', FAILED: 'Fallido' },
  why: {
    REQUESTED: 'El pago nombra este servicio.',
    FIRST: 'El primer servicio en orden que acepta el pago.',
    AFTER_FAILURE: 'Consultado porque el servicio anterior falló sin efecto.',
    AFTER_DECLINE: 'Consultado porque el servicio anterior rechazó con un código que permite otro intento.',
  },
  candidate: { first: 'Consultado primero', next: 'Consultado después', never: 'Nunca consultado' },
  reason: {
    INACTIVE: 'El servicio está desactivado.',
    NOT_READY: 'El proveedor rechazó las credenciales.',
    METHOD: 'El servicio tiene otro medio de pago.',
    CURRENCY: 'El servicio no acepta la moneda.',
    COUNTRY: 'El servicio no acepta el país.',
    NOT_REQUESTED: 'El pago nombra otro servicio.',
    UNAVAILABLE: 'Esta instalación no puede usar el proveedor.',
    INTENT: 'El servicio solo puede cobrar al instante.',
    THREE_D_SECURE: 'El servicio no autentica a los compradores.',
    THREE_D_SECURE_PASS_THROUGH: 'El servicio no acepta un 3-D Secure hecho en otro lugar.',
    INSTALLMENTS: 'El servicio no acepta cuotas.',
    RAW_CARD_DATA: 'El servicio no acepta números de tarjeta sin cifrar.',
    APPLE_PAY: 'El servicio no acepta Apple Pay.',
    GOOGLE_PAY: 'El servicio no acepta Google Pay.',
    PROVIDER_TOKENS: 'El servicio no acepta tokens del software del proveedor.',
    NETWORK_TOKENS: 'El servicio no acepta tokens de red.',
    PAYMENT_METHOD_TOKENIZATION: 'El servicio no guarda medios de pago en el proveedor.',
    PAYMENT_METHOD: 'El servicio no conoce el medio de pago guardado.',
  },
};
