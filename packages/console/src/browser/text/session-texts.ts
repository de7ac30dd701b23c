import { texts } from './text.ts'

export const sessionTexts = texts({
  title: { en: 'Sign in', es: 'Ingresar' },
  token: { en: 'Operator token', es: 'Token de operador' },
  tokenHint: {
    en: 'The console keeps it nowhere: the browser gets a session that ends by itself.',
    es: 'La consola no lo guarda: el navegador recibe una sesión que termina sola.',
  },
  submit: { en: 'Sign in', es: 'Ingresar' },
  start: {
    en: 'Sign in with the token that an admin has approved for you.',
    es: 'Ingrese con el token que un administrador aprobó para usted.',
  },
  ended: {
    en: 'The session has ended: without use, by its time, or because a person ended it.',
    es: 'La sesión terminó: por falta de uso, por su plazo, o alguien la cerró.',
  },
  signedOut: { en: 'You have signed out.', es: 'Usted salió de la consola.' },
  unreachable: { en: 'The API does not answer.', es: 'La API no responde.' },
  refused: {
    en: 'This token is unknown, revoked or expired.',
    es: 'Este token es desconocido, fue revocado o venció.',
  },
  tooMany: {
    en: 'Too many attempts from this address. Wait a minute.',
    es: 'Demasiados intentos desde esta dirección. Espere un minuto.',
  },
  startProvider: {
    en: 'Sign in with your organisation, or with an operator token.',
    es: 'Ingrese con su organización, o con un token de operador.',
  },
  provider: { en: 'Sign in with your organisation', es: 'Ingresar con su organización' },
  providerAway: {
    en: 'The organisation’s sign-in does not answer. Try again in a minute.',
    es: 'El ingreso de la organización no responde. Intente de nuevo en un minuto.',
  },
  denied: { en: 'The sign-in was cancelled.', es: 'Se canceló el ingreso.' },
  notTrue: {
    en: 'The sign-in could not be verified. Begin it again in this window.',
    es: 'No se pudo verificar el ingreso. Empiece de nuevo en esta ventana.',
  },
  noRole: {
    en: 'None of your groups has a role here. Ask an admin for one.',
    es: 'Ninguno de sus grupos tiene un rol aquí. Pídalo a un administrador.',
  },
  noName: {
    en: 'Your account has no name that can be used here. Ask an admin.',
    es: 'Su cuenta no tiene un nombre que sirva aquí. Consulte a un administrador.',
  },
  code: { en: 'Code of the authenticator app', es: 'Código de la aplicación de autenticación' },
  wrongCode: {
    en: 'The code is wrong, or was used. Enter the next one.',
    es: 'El código es incorrecto o ya se usó. Ingrese el siguiente.',
  },
  locked: { en: 'Too many wrong codes. Wait some minutes.', es: 'Demasiados códigos erróneos. Espere unos minutos.' },
  missing: { en: 'Enter the token.', es: 'Ingrese el token.' },
})
