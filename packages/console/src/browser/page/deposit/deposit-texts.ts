import type { ReviewCodeJson } from '@quipu/wire'
import { type Text, texts } from '../../text/text.ts'

export const depositTexts = texts({
  title: { en: 'Deposits', es: 'Depósitos' },
  one: { en: 'Deposit', es: 'Depósito' },
  from: { en: 'Sender', es: 'Remitente' },
  to: { en: 'Top-up address', es: 'Dirección de recarga' },
  review: { en: 'Why in review', es: 'Por qué en revisión' },
  screening: { en: 'Screening', es: 'Verificación' },
  problem: { en: 'Why not decided yet', es: 'Por qué aún no se decidió' },
  nextAttempt: { en: 'Next attempt', es: 'Próximo intento' },
  waiting: { en: 'Review', es: 'Revisión' },
  waits: { en: 'Waits for a person', es: 'Espera a una persona' },
  over: { en: 'Over', es: 'Terminada' },
  credited: { en: 'Credited', es: 'Acreditado' },
  closed: { en: 'Closed', es: 'Cerrada' },
  closedBy: { en: 'Closed by', es: 'Cerrada por' },
  closeReason: { en: 'Reason of the closure', es: 'Motivo del cierre' },
  transferIndex: { en: 'Transfer in the transaction', es: 'Transferencia en la transacción' },
  empty: {
    en: 'No deposit matches. Deposits show here once a worker has seen their transfer on the chain.',
    es: 'Ningún depósito coincide. Aparecen cuando un proceso ve su transferencia en la cadena.',
  },
})

export const depositStatusTexts = texts({
  pending: { en: 'Pending', es: 'Pendiente' },
  credited: { en: 'Credited', es: 'Acreditado' },
  in_review: { en: 'In review', es: 'En revisión' },
})

/** Why a deposit is in review. */
export const reviewTexts = texts<Readonly<Record<ReviewCodeJson, Text>>>({
  TRANSFER_DROPPED: { en: 'The transfer vanished from the chain', es: 'La transferencia desapareció de la cadena' },
  SENDER_LISTED: { en: 'The sender is on a list: see its case', es: 'El remitente está en una lista: vea su caso' },
  SENDER_NOT_SCREENED: {
    en: 'Screening did not answer about the sender; decided again once it does',
    es: 'La verificación no respondió sobre el remitente; se decide de nuevo cuando responda',
  },
  TENANT_NOT_ACTIVE: { en: 'The tenant is suspended', es: 'El cliente está suspendido' },
  ADDRESS_RETIRED: { en: 'The address is retired', es: 'La dirección fue retirada' },
  SENDER_BLOCKED: { en: 'The sender is blocked', es: 'El remitente está bloqueado' },
  ADDRESS_FROZEN: {
    en: 'The token’s issuer has frozen the top-up address: rotate it',
    es: 'El emisor del token congeló la dirección de recarga: rótela',
  },
  SENDER_IS_SERVICE: {
    en: 'The sender is an address of the service',
    es: 'El remitente es una dirección del servicio',
  },
  ADDRESS_NOT_VERIFIED: {
    en: 'The row of the top-up address fails its check; decided again once it passes',
    es: 'La fila de la dirección de recarga no pasa su control; se decide de nuevo cuando pase',
  },
  TOKEN_STATE_CHANGED: { en: 'The token’s contract has changed', es: 'El contrato del token cambió' },
  SOURCES_DISAGREE: { en: 'The sources of the chain disagree', es: 'Las fuentes de la cadena no coinciden' },
  AMOUNT_BELOW_MINIMUM: { en: 'The amount is below the minimum', es: 'El monto es menor que el mínimo' },
  AMOUNT_ABOVE_AUTO_LIMIT: {
    en: 'The amount is above the automatic limit',
    es: 'El monto supera el límite automático',
  },
})

export const depositActionTexts = texts({
  screen: { en: 'Screen again', es: 'Verificar de nuevo' },
  screenHint: {
    en: 'A worker screens the sender at once, and credits the deposit if it is clear.',
    es: 'Un worker verifica al remitente de inmediato, y acredita el depósito si no está en una lista.',
  },
  screened: { en: 'The deposit is due.', es: 'El depósito está pendiente de decisión.' },
  credit: { en: 'Credit', es: 'Acreditar' },
  creditHint: {
    en: 'Adds the amount to the wallet and notifies the tenant. Above the approval limit another operator has to approve it.',
    es: 'Suma el monto a la billetera y avisa al cliente. Por encima del límite de aprobación, otro operador debe aprobarlo.',
  },
  credited: { en: 'The deposit was credited.', es: 'Se acreditó el depósito.' },
  close: { en: 'Close the review', es: 'Cerrar la revisión' },
  closeHint: {
    en: 'Nothing is credited. The tenant reads the reason: address it to the tenant. Above the approval limit another operator has to approve it.',
    es: 'No se acredita nada. El cliente lee el motivo: diríjalo a él. Por encima del límite de aprobación, otro operador debe aprobarlo.',
  },
  closeShown: {
    en: (count: string) => `Close the reviews shown: ${count}`,
    es: (count: string) => `Cerrar las revisiones mostradas: ${count}`,
  },
  closeShownHint: {
    en: 'One proposal closes all open reviews of this page, and credits nothing. The approval limit applies to their sum. The tenant reads the reason.',
    es: 'Una propuesta cierra todas las revisiones abiertas de esta página y no acredita nada. El límite de aprobación vale para la suma. El cliente lee el motivo.',
  },
  closeShownOfOne: {
    en: 'Filter by one tenant to close its reviews together.',
    es: 'Filtre por un cliente para cerrar juntas sus revisiones.',
  },
  closedShown: { en: 'The reviews were closed.', es: 'Se cerraron las revisiones.' },
  sendBack: { en: 'Record a return', es: 'Registrar una devolución' },
  sendBackHint: {
    en: 'A transaction has sent the tokens back from the top-up address. Ask the tenant for the address: an exchange takes nothing back. Another operator has to approve it.',
    es: 'Una transacción devolvió los tokens desde la dirección de recarga. Pida la dirección al cliente: un exchange no acepta devoluciones. Otro operador debe aprobarlo.',
  },
  toAddress: { en: 'Address that received them', es: 'Dirección que los recibió' },
  txHash: { en: 'Transaction', es: 'Transacción' },
  closed: { en: 'The review was closed.', es: 'Se cerró la revisión.' },
})

export const faucetTexts = texts({
  title: { en: 'Faucet sends', es: 'Envíos del faucet' },
  one: { en: 'Faucet send', es: 'Envío del faucet' },
  empty: {
    en: 'No send matches. Tenants of the sandbox ask the faucet for test tokens.',
    es: 'Ningún envío coincide. Los clientes de pruebas piden tokens de prueba al faucet.',
  },
})

export const faucetStatusTexts = texts({
  submitted: { en: 'Submitted', es: 'Enviado' },
  confirmed: { en: 'Confirmed', es: 'Confirmado' },
  failed: { en: 'Failed', es: 'Fallido' },
})
