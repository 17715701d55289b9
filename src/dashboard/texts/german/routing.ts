import type { Texts } from '../english.ts';

const LIST = new Intl.ListFormat('de', { type: 'conjunction' });

/** The texts about the route of a payment in German. */
export const routing: Texts['routing'] = {
  title: 'Weg der Zahlung',
  asked: 'Dienste in der Reihenfolge der Anfragen',
  passed: 'Übergangen',
  present:
    'Die Gründe folgen den jetzigen Einstellungen der Dienste. Sie können sich seit der Zahlung geändert haben.',
  open: 'Routing erklären',
  dialogTitle: 'Welcher Dienst bekommt eine Zahlung?',
  text: 'Beschreiben Sie eine Zahlung. Nichts wird angelegt oder gesendet. Der Betrag spielt für das Routing keine Rolle.',
  submit: 'Weg finden',
  nobody: 'Kein Dienst nimmt die Zahlung an.',
  next: 'Wird gefragt, wenn der Dienst davor ausfällt oder mit einem Code ablehnt, der einen weiteren Versuch erlaubt.',
  never: 'Nimmt die Zahlung an, aber ein früherer Dienst beendet die Versuche.',
  spared: 'Nimmt die Zahlung an, aber kein weiterer Versuch kam bis hierher.',
  otherMethods: (names) => `Mit anderem Zahlungsmittel: ${LIST.format(names)}.`,
  rest: (count) => `${count} weitere Dienste sind nicht zu sehen.`,
  state: { PENDING: 'Offen', SUCCEEDED: 'Gewählt', DECLINED: 'Abgelehnt', FAILED: 'Fehlgeschlagen' },
  why: {
    REQUESTED: 'Die Zahlung nennt diesen Dienst.',
    FIRST: 'Der erste Dienst der Reihenfolge, der die Zahlung annimmt.',
    AFTER_FAILURE: 'Gefragt, weil der Dienst davor ohne Wirkung ausfiel.',
    AFTER_DECLINE:
      'Gefragt, weil der Dienst davor mit einem Code ablehnte, der einen weiteren Versuch erlaubt.',
  },
  candidate: { first: 'Zuerst gefragt', next: 'Danach gefragt', never: 'Nie gefragt' },
  reason: {
    INACTIVE: 'Der Dienst ist ausgeschaltet.',
    NOT_READY: 'Der Anbieter lehnte die Zugangsdaten ab.',
    METHOD: 'Der Dienst hat ein anderes Zahlungsmittel.',
    CURRENCY: 'Der Dienst nimmt die Währung nicht an.',
    COUNTRY: 'Der Dienst nimmt das Land nicht an.',
    NOT_REQUESTED: 'Die Zahlung nennt einen anderen Dienst.',
    UNAVAILABLE: 'Diese Installation kann den Anbieter nicht nutzen.',
    INTENT: 'Der Dienst kann nur sofort einziehen.',
    THREE_D_SECURE: 'Der Dienst authentifiziert keine Käufer.',
    THREE_D_SECURE_PASS_THROUGH: 'Der Dienst nimmt kein anderswo erledigtes 3-D Secure an.',
    INSTALLMENTS: 'Der Dienst nimmt keine Raten an.',
    CARD_NETWORK_CHOICE: 'Der Dienst nimmt die Wahl dieses Kartennetzes nicht an.',
    RAW_CARD_DATA: 'Der Dienst nimmt keine Kartennummern im Klartext an.',
    APPLE_PAY: 'Der Dienst nimmt kein Apple Pay an.',
    GOOGLE_PAY: 'Der Dienst nimmt kein Google Pay an.',
    PROVIDER_TOKENS: 'Der Dienst nimmt keine Token der Software des Anbieters an.',
    NETWORK_TOKENS: 'Der Dienst nimmt keine Netzwerk-Token an.',
    PAYMENT_METHOD_TOKENIZATION: 'Der Dienst speichert keine Zahlungsmittel beim Anbieter.',
    PAYMENT_METHOD: 'Der Dienst kennt das gespeicherte Zahlungsmittel nicht.',
  },
};
