import { texts } from '../../text/text.ts'

export const runTexts = texts({
  title: { en: 'Reconciliation', es: 'Conciliación' },
  one: { en: 'Reconciliation run', es: 'Conciliación' },
  check: { en: 'Check', es: 'Control' },
  period: { en: 'Period', es: 'Período' },
  present: { en: 'present balances', es: 'saldos actuales' },
  reached: { en: 'Reached', es: 'Alcanzado' },
  address: { en: (index: string) => `address ${index}`, es: (index: string) => `dirección ${index}` },
  progress: { en: 'Progress', es: 'Avance' },
  slices: { en: 'Slices', es: 'Tramos' },
  compared: { en: 'Compared', es: 'Comparados' },
  differences: { en: 'Differences', es: 'Diferencias' },
  failure: { en: 'Last failure', es: 'Última falla' },
  requestedBy: { en: 'Requested by', es: 'Solicitada por' },
  daily: { en: (day: string) => `daily run of ${day}`, es: (day: string) => `diaria del ${day}` },
  completed: { en: 'Completed', es: 'Terminada' },
  list: { en: 'List the differences', es: 'Ver las diferencias' },
  empty: {
    en: 'No run matches. Workers run one each day; request one for another period.',
    es: 'Ninguna coincide. Los procesos hacen una cada día; solicite una para otro período.',
  },
  ledger: { en: 'Ledger check', es: 'Control del libro' },
  ledgerLate: { en: 'The check of the ledger is late:', es: 'El control del libro está atrasado:' },
  ledgerOn: { en: 'The ledger is checked on time.', es: 'El libro se controla a tiempo.' },
  ledgerDifferences: { en: 'Open differences of the ledger', es: 'Diferencias abiertas del libro' },
})

export const runStatusTexts = texts({
  running: { en: 'Running', es: 'En curso' },
  completed: { en: 'Completed', es: 'Terminada' },
})

export const runActionTexts = texts({
  request: { en: 'Request a run', es: 'Solicitar una conciliación' },
  requestHint: {
    en: 'A worker compares slice by slice and records what differs. The chain’s balances have no period; the network’s statement needs one.',
    es: 'Un proceso compara tramo por tramo y registra lo que difiere. Los saldos de la cadena no tienen período; el extracto de la red requiere uno.',
  },
  network: { en: 'QR network’s statement', es: 'Extracto de la red QR' },
  chain: { en: 'Balances on the chain', es: 'Saldos en la cadena' },
  from: { en: 'First day, UTC', es: 'Primer día, UTC' },
  to: { en: 'Until before this day, UTC', es: 'Hasta antes de este día, UTC' },
  periodHint: { en: 'For the network only.', es: 'Solo para la red.' },
  requested: {
    en: 'The run was requested; this page shows its progress.',
    es: 'Se solicitó; esta página muestra su avance.',
  },
})
