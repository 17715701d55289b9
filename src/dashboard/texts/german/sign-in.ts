import type { Texts } from '../english.ts';

/** The texts of the sign-in and of an invitation in German. */
export const signIn: Texts['signIn'] = {
  title: 'Anmelden',
  lead: 'Um die Zahlungen Ihres Händlerkontos zu sehen und zu bearbeiten.',
  signedOut: 'Sie sind abgemeldet',
  again: 'Wieder anmelden',
  failed: 'Das Dashboard erreicht seinen Server nicht',
  provider: 'Mit Ihrem Firmenkonto anmelden',
  passkey: 'Mit einem Passkey anmelden',
  or: 'oder mit einem Passwort',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  next: 'Weiter',
  code: 'Code',
  codeHint: 'Sechs Ziffern aus Ihrer Authenticator-App, oder ein Wiederherstellungscode.',
  submit: 'Anmelden',
  back: 'Zurück',
  account: 'Händlerkonto',
  otherAccount: 'Anderes Händlerkonto',
  trouble:
    'Telefon und Wiederherstellungscodes verloren? Ein Inhaber des Kontos kann Sie noch einmal einladen.',
  passkeyFailed:
    'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, oder melden Sie sich mit Ihrem Passwort an.',
  join: {
    title: 'Einladung annehmen',
    lead: (email, account) => `Sie melden sich als ${email} beim Händlerkonto ${account} an.`,
    withPasskey: 'Passkey verwenden',
    passkeyHint:
      'Ihr Fingerabdruck, Ihr Gesicht oder die PIN dieses Geräts. Der sicherste Weg, ohne etwas zu merken.',
    or: 'oder ein Passwort wählen',
    scan: 'Scannen Sie diesen Code mit einer Authenticator-App',
    scanHint: 'Die App zeigt dann jede halbe Minute einen neuen Code aus sechs Ziffern.',
    key: 'Oder geben Sie diesen Schlüssel ein',
    passwordHint: 'Mindestens 12 Zeichen. Gut sind mehrere Wörter, die nicht zusammengehören.',
    codeHint: 'Die sechs Ziffern, die die App jetzt zeigt.',
    submit: 'Annehmen',
    missing: 'Diese Einladung gilt nicht',
    codesTitle: 'Bewahren Sie Ihre Wiederherstellungscodes auf',
    codesLead: 'Jeder Code meldet Sie einmal ohne Telefon an. Niemand kann die Codes noch einmal anzeigen.',
    copy: 'Alle kopieren',
    copied: 'Kopiert',
    done: 'Ich habe sie aufbewahrt',
  },
};
