import { texts } from './text.ts'

export const sessionTexts = texts({
  title: { en: 'Sign in', es: 'Ingresar' },
  token: { en: 'Operator token', es: 'Token de operador' },
  tokenHint: {
    en: 'The console keeps it nowhere: the browser gets a session of at most 12 hours.',
    es: 'La consola no lo guarda: el navegador recibe una sesión de 12 horas como máximo.',
  },
  submit: { en: 'Sign in', es: 'Ingresar' },
  start: {
    en: 'Sign in with the token that an admin has approved for you.',
    es: 'Ingrese con el token que un administrador aprobó para usted.',
  },
  ended: {
    en: 'The session has ended: it expired, or the token was revoked.',
    es: 'La sesión terminó: venció, o el token fue revocado.',
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
  missing: { en: 'Enter the token.', es: 'Ingrese el token.' },
})
