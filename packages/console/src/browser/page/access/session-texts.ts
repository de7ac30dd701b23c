import { texts } from '../../text/text.ts'

export const sessionListTexts = texts({
  sessions: { en: 'Sessions of the console', es: 'Sesiones de la consola' },
  hint: {
    en: 'An admin sees those of all people. A session ends by itself when nobody uses it.',
    es: 'Un administrador ve las de todos. Una sesión termina sola si nadie la usa.',
  },
  none: { en: 'Nobody is signed in.', es: 'Nadie ha ingresado.' },
  origin: { en: 'Signed in with', es: 'Ingresó con' },
  since: { en: 'Since', es: 'Desde' },
  seen: { en: 'Last used', es: 'Último uso' },
  address: { en: 'Address', es: 'Dirección' },
  browser: { en: 'Browser', es: 'Navegador' },
  end: { en: 'End', es: 'Cerrar' },
  endHint: {
    en: 'The session ends at once. The person can sign in again.',
    es: 'La sesión termina de inmediato. La persona puede ingresar de nuevo.',
  },
  ended: { en: 'The session has ended.', es: 'La sesión terminó.' },
})

export const sessionOriginTexts = texts({
  token: { en: 'Token', es: 'Token' },
  oidc: { en: 'Organisation', es: 'Organización' },
})

export const factorTexts = texts({
  heading: { en: 'Your second factor', es: 'Su segundo factor' },
  hint: {
    en: 'A code of an authenticator app, beside the token. A sign-in with the organisation does not need it.',
    es: 'Un código de una aplicación de autenticación, además del token. El ingreso con la organización no lo necesita.',
  },
  since: { en: 'Required at each sign-in since', es: 'Se pide en cada ingreso desde' },
  enrol: { en: 'Set up an app', es: 'Configurar una aplicación' },
  enrolHint: {
    en: 'Makes a secret that is shown once. It is required once you have confirmed it by a code.',
    es: 'Crea un secreto que se muestra una sola vez. Se pedirá cuando lo confirme con un código.',
  },
  made: { en: 'Scan the code, and confirm it then.', es: 'Escanee el código y confírmelo después.' },
  secret: { en: 'The secret of your app', es: 'El secreto de su aplicación' },
  secretHint: {
    en: 'Scan it, or copy the address below, with your authenticator app. Then confirm it by a code.',
    es: 'Escanéelo, o copie la dirección de abajo, con su aplicación. Después confírmelo con un código.',
  },
  qr: { en: 'QR code of the secret', es: 'Código QR del secreto' },
  confirm: { en: 'Confirm by a code', es: 'Confirmar con un código' },
  confirmHint: { en: 'From then on each sign-in needs one.', es: 'Desde entonces cada ingreso necesita uno.' },
  code: { en: 'Six digits of the app', es: 'Seis dígitos de la aplicación' },
  confirmed: { en: 'The second factor is in effect.', es: 'El segundo factor está activo.' },
  remove: { en: 'Remove a lost one', es: 'Quitar uno perdido' },
  removeHint: {
    en: 'Make sure who asks for it. The person’s sessions end, and the token alone signs in again.',
    es: 'Verifique quién lo pide. Las sesiones de la persona terminan y el token solo vuelve a bastar.',
  },
  removed: { en: 'The second factor was removed.', es: 'Se quitó el segundo factor.' },
})
