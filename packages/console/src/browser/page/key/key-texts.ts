import type { ApiKeyJson } from '@quipu/wire'
import { type Text, texts } from '../../text/text.ts'

export const keyTexts = texts({
  title: { en: 'API keys', es: 'Claves de API' },
  name: { en: 'Name', es: 'Nombre' },
  key: { en: 'Key', es: 'Clave' },
  scopes: { en: 'Scopes', es: 'Permisos' },
  lastUsed: { en: 'Last used', es: 'Último uso' },
  addresses: { en: 'Allowed addresses', es: 'Direcciones permitidas' },
  addressesHint: {
    en: 'IP addresses or networks, one a line. Empty: from everywhere.',
    es: 'Direcciones o redes IP, una por línea. Vacío: desde cualquiera.',
  },
  everywhere: { en: 'everywhere', es: 'cualquiera' },
  expiresHint: {
    en: 'The key works to the end of this day. Empty: until it is revoked.',
    es: 'La clave funciona hasta el fin de ese día. Vacío: hasta que se revoque.',
  },
  empty: {
    en: 'The tenant has no key: it cannot call the API. Issue one.',
    es: 'El cliente no tiene claves: no puede llamar a la API. Emita una.',
  },
})

export const keyStatusTexts = texts({
  active: { en: 'Active', es: 'Activa' },
  ending: { en: 'Active, ends soon', es: 'Activa, vence pronto' },
  waiting: { en: 'Waits for approval', es: 'Espera aprobación' },
  expired: { en: 'Expired', es: 'Vencida' },
  revoked: { en: 'Revoked', es: 'Revocada' },
})

export const scopeTexts = texts<Readonly<Record<ApiKeyJson['scopes'][number], Text>>>({
  'payouts:write': { en: 'payouts:write, to pay', es: 'payouts:write, para pagar' },
  'payouts:read': { en: 'payouts:read, to read payouts', es: 'payouts:read, para leer pagos' },
  'wallet:write': {
    en: 'wallet:write, to set a threshold and ask the faucet',
    es: 'wallet:write, para fijar un umbral y pedir al faucet',
  },
  'wallet:read': { en: 'wallet:read, to read wallet and deposits', es: 'wallet:read, para leer billetera y depósitos' },
  'webhooks:write': { en: 'webhooks:write, to change endpoints', es: 'webhooks:write, para cambiar endpoints' },
  'webhooks:read': {
    en: 'webhooks:read, to read endpoints and events',
    es: 'webhooks:read, para leer endpoints y eventos',
  },
  'keys:write': { en: 'keys:write, to change keys', es: 'keys:write, para cambiar claves' },
  'keys:read': { en: 'keys:read, to list keys', es: 'keys:read, para listar claves' },
})

export const keyActionTexts = texts({
  issue: { en: 'Issue a key', es: 'Emitir una clave' },
  issueHint: {
    en: 'The key is shown once. A key that pays needs an admin, and in production the approval of another one.',
    es: 'La clave se muestra una sola vez. Una clave que paga requiere un admin, y en producción la aprobación de otro.',
  },
  issued: { en: 'The key was issued.', es: 'Se emitió la clave.' },
  shown: { en: 'The new key', es: 'La nueva clave' },
  shownHint: {
    en: 'Hand it to the tenant over a safe channel. It is shown here and never again.',
    es: 'Entréguela al cliente por un canal seguro. Se muestra aquí y nunca más.',
  },
  waits: {
    en: 'It works once another admin approves it under Approvals.',
    es: 'Funciona cuando otro admin la aprueba en Aprobaciones.',
  },
  rotate: { en: 'Rotate', es: 'Rotar' },
  rotateHint: {
    en: 'Issues a new key with the same name, scopes and addresses, and lets the old one expire after the overlap.',
    es: 'Emite una clave nueva con el mismo nombre, permisos y direcciones, y deja vencer la anterior tras el traslape.',
  },
  overlap: { en: 'Overlap, seconds', es: 'Traslape, segundos' },
  revoke: { en: 'Revoke', es: 'Revocar' },
  revokeHint: {
    en: 'The key stops working within seconds, for ever.',
    es: 'La clave deja de funcionar en segundos, para siempre.',
  },
  revoked: { en: 'The key was revoked.', es: 'Se revocó la clave.' },
  limit: { en: 'Addresses', es: 'Direcciones' },
  limitHint: {
    en: 'Requests from another address are refused, within seconds.',
    es: 'Las solicitudes desde otra dirección se rechazan, en segundos.',
  },
  limited: { en: 'The addresses were changed.', es: 'Se cambiaron las direcciones.' },
})
