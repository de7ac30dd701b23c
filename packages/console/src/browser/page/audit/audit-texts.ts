import { texts } from '../../text/text.ts'

export const auditTexts = texts({
  title: { en: 'Audit log', es: 'Auditoría' },
  actor: { en: 'Actor', es: 'Actor' },
  action: { en: 'Action', es: 'Acción' },
  system: { en: 'a process', es: 'un proceso' },
  change: { en: 'Change', es: 'Cambio' },
  before: { en: 'Before', es: 'Antes' },
  after: { en: 'After', es: 'Después' },
  hash: { en: 'Hash', es: 'Hash' },
  show: { en: 'Show', es: 'Ver' },
  entry: { en: 'Entry', es: 'Entrada' },
  empty: { en: 'No entry matches. Take a filter away.', es: 'Ninguna entrada coincide. Quite un filtro.' },
  verify: { en: 'Verify the chain', es: 'Verificar la cadena' },
  verifying: {
    en: (entry: string) => `Verified up to entry ${entry}…`,
    es: (entry: string) => `Verificada hasta la entrada ${entry}…`,
  },
  intact: {
    en: (entry: string) => `The log is intact up to its newest entry, ${entry}.`,
    es: (entry: string) => `La auditoría está intacta hasta su última entrada, ${entry}.`,
  },
  flawed: {
    en: (entry: string) => `The log is not intact at entry ${entry}:`,
    es: (entry: string) => `La auditoría no está intacta en la entrada ${entry}:`,
  },
})
