import type { PlannedSweepJson, SweepBatchJson } from '@quipu/wire'
import { type Text, texts } from '../../text/text.ts'

export const sweepTexts = texts({
  title: { en: 'Sweeps', es: 'Barridos' },
  one: { en: 'Sweep batch', es: 'Lote de barrido' },
  addresses: { en: 'Top-up addresses', es: 'Direcciones de recarga' },
  toAddresses: { en: 'Balances of the addresses', es: 'Saldos de las direcciones' },
  toBatches: { en: 'Batches', es: 'Lotes' },
  batch: { en: 'Batch', es: 'Lote' },
  threshold: { en: 'Threshold', es: 'Umbral' },
  treasury: { en: 'Treasury', es: 'Tesorería' },
  createdBy: { en: 'Planned by', es: 'Planificado por' },
  transfers: { en: 'Transfers', es: 'Transferencias' },
  trxNeeded: { en: 'Fees at most', es: 'Comisiones como máximo' },
  trxMissing: { en: 'TRX that is missing', es: 'TRX que falta' },
  index: { en: 'Index', es: 'Índice' },
  problem: { en: 'Waits for', es: 'Espera por' },
  sent: { en: 'Sent', es: 'Enviada' },
  ended: { en: 'Ended', es: 'Terminada' },
  balance: { en: 'Solid balance', es: 'Saldo sólido' },
  expected: { en: 'By deposits', es: 'Según depósitos' },
  live: { en: 'Live sweep', es: 'Barrido vigente' },
  empty: {
    en: 'No batch was planned. Deposits stay at the top-up addresses until a batch takes them to the treasury.',
    es: 'No se planificó ningún lote. Los depósitos quedan en las direcciones de recarga hasta que un lote los lleve a la tesorería.',
  },
  noAddress: { en: 'No tenant has a top-up address.', es: 'Ningún cliente tiene una dirección.' },
  noTransfer: { en: 'The batch has no transfer.', es: 'El lote no tiene transferencias.' },
})

export const sweepStatusTexts = texts({
  planned: { en: 'To be signed', es: 'Por firmar' },
  signed: { en: 'Signed', es: 'Firmada' },
  solid: { en: 'Solid', es: 'Sólida' },
  failed: { en: 'Failed', es: 'Fallida' },
  expired: { en: 'Expired', es: 'Vencida' },
})

type Problem = NonNullable<SweepBatchJson['transfers'][number]['problem']>

/** Why a signed transfer was not sent, and what to do. */
export const sweepProblemTexts: Readonly<Record<Problem, Text>> = {
  TRX_MISSING: { en: 'TRX: send it to the address', es: 'TRX: envíelo a la dirección' },
  FEE_LIMIT_TOO_LOW: {
    en: 'nothing: energy became dearer, it expires',
    es: 'nada: la energía subió de precio, vencerá',
  },
  TRANSFER_REVERTS: {
    en: 'the token’s issuer: the transfer would revert',
    es: 'el emisor del token: la transferencia se revertiría',
  },
  NODE_REFUSES: { en: 'a node that accepts it', es: 'un nodo que la acepte' },
}

/** Why a plan lacks an address. */
export const skipReasonTexts: Readonly<Record<PlannedSweepJson['skipped'][number]['reason'], Text>> = {
  BALANCE_BELOW_THRESHOLD: { en: 'balance below the threshold', es: 'saldo menor que el umbral' },
  TRANSFER_REVERTS: { en: 'would revert', es: 'se revertiría' },
  FEE_TOO_HIGH: { en: 'fee too high', es: 'comisión demasiado alta' },
  ADDRESS_MISMATCH: { en: 'not the address of its index', es: 'no es la dirección de su índice' },
  OPEN_REVIEW: { en: 'deposit in review', es: 'depósito en revisión' },
  LIVE_TRANSFER: { en: 'another plan has it', es: 'está en otro plan' },
  NOT_READ: { en: 'the node did not answer', es: 'el nodo no respondió' },
}

/** The outcome of imported signatures. */
export const signatureTexts = texts({
  signed: { en: 'accepted', es: 'aceptadas' },
  already_signed: { en: 'signed before', es: 'ya firmadas' },
  ended: { en: 'of ended transfers', es: 'de transferencias terminadas' },
  unknown_transfer: { en: 'of no transfer of this batch', es: 'de ninguna de este lote' },
  other_bytes: { en: 'of other bytes', es: 'de otros bytes' },
  wrong_signature: { en: 'of another key', es: 'de otra clave' },
})

export const sweepActionTexts = texts({
  plan: { en: 'Plan a batch', es: 'Planificar un lote' },
  planHint: {
    en: 'Plans one transfer of the whole balance for each address, to the treasury. Nothing moves until the offline signer has signed them.',
    es: 'Planifica una transferencia del saldo completo de cada dirección a la tesorería. Nada se mueve hasta que el firmante fuera de línea las firme.',
  },
  thresholdHint: {
    en: 'Addresses with a lower balance are left alone.',
    es: 'Se omiten las direcciones con menos saldo.',
  },
  amount: { en: 'Threshold, USDT', es: 'Umbral, USDT' },
  limit: { en: 'Transfers at most', es: 'Transferencias como máximo' },
  planned: {
    en: (count: string) => `Transfers planned: ${count}.`,
    es: (count: string) => `Transferencias planificadas: ${count}.`,
  },
  skipped: {
    en: (addresses: string) => `Left out: ${addresses}.`,
    es: (addresses: string) => `Omitidas: ${addresses}.`,
  },
  export: { en: 'Download for the signer', es: 'Descargar para el firmante' },
  import: { en: 'Import signatures', es: 'Importar firmas' },
  importHint: {
    en: 'The file that the offline signer wrote; all signatures or some, also repeatedly. Workers then send the transfers.',
    es: 'El archivo que escribió el firmante fuera de línea; todas las firmas o algunas, también repetidas. Luego los procesos envían las transferencias.',
  },
  file: { en: 'File with the signatures', es: 'Archivo con las firmas' },
  imported: { en: (results: string) => `Signatures: ${results}.`, es: (results: string) => `Firmas: ${results}.` },
})
