import { texts } from '../../text/text.ts'

export const accessTexts = texts({
  title: { en: 'Access', es: 'Acceso' },
  tokens: { en: 'Operator tokens', es: 'Tokens de operador' },
  tokensHidden: {
    en: 'The roles auditor and admin list operator tokens.',
    es: 'Los roles auditor y admin ven los tokens de operador.',
  },
  label: { en: 'Label', es: 'Etiqueta' },
  role: { en: 'Role', es: 'Rol' },
  fingerprint: { en: 'Fingerprint', es: 'Huella' },
  createdBy: { en: 'Proposed by', es: 'Propuesto por' },
  empty: {
    en: 'There is no operator token. The database’s owner issues the first one.',
    es: 'No hay tokens de operador. El dueño de la base de datos emite el primero.',
  },
  processes: { en: 'Processes', es: 'Procesos' },
  noProcess: {
    en: 'No process has reported itself. Start an API and a worker.',
    es: 'Ningún proceso se ha reportado. Inicie una API y un worker.',
  },
  program: { en: 'Program', es: 'Programa' },
  host: { en: 'Host', es: 'Equipo' },
  age: { en: 'Age', es: 'Edad' },
  silent: { en: 'Silent for', es: 'En silencio' },
  clock: { en: 'Clock ahead, ms', es: 'Reloj adelantado, ms' },
  keyUse: { en: 'Keys of the environment', es: 'Claves del entorno' },
  keyUseHint: {
    en: 'An older key can be deleted from its setting once it has made no stored value.',
    es: 'Una clave anterior puede borrarse de su ajuste cuando ya no quedan valores hechos con ella.',
  },
  setting: { en: 'Setting', es: 'Ajuste' },
  key: { en: 'Key', es: 'Clave' },
  values: { en: 'Stored values', es: 'Valores guardados' },
  noKey: { en: 'No key is set.', es: 'No hay claves configuradas.' },
})

export const tokenStatusTexts = texts({
  active: { en: 'Active', es: 'Activo' },
  ending: { en: 'Active, ends soon', es: 'Activo, vence pronto' },
  waiting: { en: 'Waits for approval', es: 'Espera aprobación' },
  expired: { en: 'Expired', es: 'Vencido' },
  revoked: { en: 'Revoked', es: 'Revocado' },
})

export const keyStateTexts = texts({
  current: { en: 'Makes new values', es: 'Hace valores nuevos' },
  older: { en: 'Reads older values', es: 'Lee valores anteriores' },
  missing: { en: 'Missing in the setting', es: 'Falta en el ajuste' },
})

export const tokenActionTexts = texts({
  issue: { en: 'Issue a token', es: 'Emitir un token' },
  issueHint: {
    en: 'The person makes the token and sends you its SHA-256, never the token. A token that changes anything needs the approval of another admin.',
    es: 'La persona crea el token y le envía su SHA-256, nunca el token. Un token que cambia algo requiere la aprobación de otro admin.',
  },
  issued: { en: 'The token works.', es: 'El token funciona.' },
  hash: { en: 'SHA-256 of the token', es: 'SHA-256 del token' },
  hashHint: { en: '64 lowercase hexadecimal digits.', es: '64 dígitos hexadecimales en minúscula.' },
  until: { en: 'Works to the end of', es: 'Funciona hasta el fin de' },
  revoke: { en: 'Revoke', es: 'Revocar' },
  revokeHint: { en: 'The token and its sessions end at once.', es: 'El token y sus sesiones terminan de inmediato.' },
  revoked: { en: 'The token was revoked.', es: 'Se revocó el token.' },
})

export const roleTexts = texts({
  viewer: { en: 'viewer: reads', es: 'viewer: lee' },
  operator: { en: 'operator: also acts', es: 'operator: también actúa' },
  admin: { en: 'admin: may do everything', es: 'admin: puede hacer todo' },
  auditor: { en: 'auditor: also reads the audit log', es: 'auditor: también lee la auditoría' },
})
