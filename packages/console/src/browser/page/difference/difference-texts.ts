import { texts } from '../../text/text.ts'

export const differenceTexts = texts({
  title: { en: 'Differences', es: 'Diferencias' },
  one: { en: 'Difference', es: 'Diferencia' },
  check: { en: 'Check', es: 'Control' },
  kind: { en: 'Kind', es: 'Clase' },
  expected: { en: 'Expected', es: 'Esperado' },
  found: { en: 'Found', es: 'Encontrado' },
  foundAt: { en: 'First found', es: 'Encontrada' },
  lastSeen: { en: 'Last seen', es: 'Vista por última vez' },
  goneAt: { en: 'No longer found', es: 'Ya no encontrada' },
  closedBy: { en: 'Closed by', es: 'Cerrada por' },
  closedAt: { en: 'Closed', es: 'Cerrada' },
  closeReason: { en: 'Reason of the closure', es: 'Motivo del cierre' },
  correctedBy: { en: 'Corrected by the proposal', es: 'Corregida por la propuesta' },
  empty: {
    en: 'No difference matches: what the checks compared agrees.',
    es: 'Ninguna diferencia coincide: lo que los controles compararon concuerda.',
  },
})

export const differenceStatusTexts = texts({
  open: { en: 'Open', es: 'Abierta' },
  gone: { en: 'No longer found', es: 'Ya no encontrada' },
  closed: { en: 'Closed', es: 'Cerrada' },
})

export const checkTexts = texts({
  ledger: { en: 'Ledger', es: 'Libro contable' },
  audit: { en: 'Audit log', es: 'Auditoría' },
  network: { en: 'QR network', es: 'Red QR' },
  chain: { en: 'Chain', es: 'Cadena' },
  liquidity: { en: 'Liquidity', es: 'Liquidez' },
  report: { en: 'Reports', es: 'Informes' },
})

export const differenceActionTexts = texts({
  close: { en: 'Close', es: 'Cerrar' },
  closeHint: {
    en: 'The check alerts it no more until it changes. Name the executed proposal if one corrected it.',
    es: 'El control ya no avisa hasta que cambie. Nombre la propuesta ejecutada si una la corrigió.',
  },
  closed: { en: 'The difference was closed.', es: 'Se cerró la diferencia.' },
  proposalId: { en: 'Id of the proposal', es: 'Id de la propuesta' },
  book: { en: 'Book by an adjustment', es: 'Registrar con un ajuste' },
  bookHint: {
    en: 'Proposes a posting that makes the ledger agree with the wallet: in if the wallet has too much, out if it has too little. Another operator has to approve it.',
    es: 'Propone un asiento que hace concordar el libro con la billetera: entrada si tiene de más, salida si tiene de menos. Otro operador debe aprobarlo.',
  },
  amount: { en: 'Amount, USDT', es: 'Monto, USDT' },
  direction: { en: 'Direction', es: 'Dirección' },
  in: { en: 'In: the wallet has too much', es: 'Entrada: la billetera tiene de más' },
  out: { en: 'Out: the wallet has too little', es: 'Salida: la billetera tiene de menos' },
})
