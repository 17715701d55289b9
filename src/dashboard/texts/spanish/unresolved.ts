import type { Texts } from '../english.ts';

/** The texts about operations whose outcome is unknown, in Spanish. */
export const unresolved: Texts['unresolved'] = {
  title: 'Sin resolver',
  text: 'El proveedor no dio una respuesta clara a estas operaciones. Sus importes siguen reservados y nada se hace dos veces.',
  operation: (kind, amount) => `${kind} de ${amount}`,
  at: (service) => `en ${service}`,
  since: 'desconocido desde',
  next: 'próxima consulta',
  key: 'Clave en el proveedor:',
  still: 'Resultado desconocido',
  status: { PENDING: 'En curso', SUCCEEDED: 'Con éxito', DECLINED: 'Rechazo', FAILED: 'Fallo' },
  cause: {
    TIMEOUT: 'Tiempo agotado',
    CONNECTION: 'Conexión cortada',
    SERVER_ERROR: 'Fallo del proveedor',
    UNREADABLE: 'Respuesta ilegible',
    INTERRUPTED: 'Interrumpida',
    UNDECIDED: 'Sin decisión a tiempo',
  },
  advice: {
    wait: 'Paygraph sigue consultando al proveedor, así que no tiene que hacer nada. Si conoce el resultado, regístrelo.',
    person:
      'Paygraph ya no consulta. Busque la operación en el proveedor por su clave y registre el resultado.',
  },
  empty: {
    title: 'Todos los resultados se conocen',
    text: 'Una operación aparece aquí si su proveedor no responde a tiempo o no da una respuesta clara.',
    payments: 'Mostrar los pagos',
    guide: 'Leer sobre los resultados desconocidos',
  },
  sync: {
    open: 'Consultar',
    running: 'Consultando',
    title: 'Respuesta del proveedor',
    nothing: 'No hay ninguna operación pendiente, o Paygraph ya la está consultando.',
    later: 'Paygraph sigue consultando las operaciones sin resultado.',
    done: 'El pago tiene el nuevo estado.',
  },
  resolve: {
    open: 'Registrar resultado',
    title: (operation) => `Registrar el resultado: ${operation}`,
    text: 'Busque primero la operación en los registros del proveedor. Un resultado registrado no se puede cambiar.',
    outcome: 'Resultado en el proveedor',
    outcomes: { SUCCEEDED: 'Con éxito', FAILED: 'Fallo' },
    reason: 'Prueba',
    reasonHint: 'El historial del pago la conserva con su nombre. Como máximo 500 caracteres.',
    reference: 'ID del proveedor',
    referenceHint: 'Opcional. El ID del pago, la captura o el reembolso en el proveedor.',
    amount: 'Importe',
    effect: 'Efecto',
    effects: {
      SUCCEEDED: 'La operación cuenta como realizada',
      FAILED: 'El importe reservado se libera',
    },
    submit: { SUCCEEDED: 'Registrar como éxito', FAILED: 'Registrar como fallo' },
    recorded: 'El resultado se ha registrado.',
  },
};
