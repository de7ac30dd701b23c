import type { Bob, Clock } from '@quipu/core'
import {
  type NetworkAnswer,
  type PaymentOrder,
  type QrRead,
  type QrRefused,
  sandboxOutcomes,
  sha256,
} from '@quipu/core/adapter'
import type { NetworkLedger } from './network-ledger.ts'
import type { MemoryQr } from './qr-content.ts'

/** Reads QR contents, and validates orders before the ledger enters them. */
export type OrderIntake = { read(content: string): QrRead | QrRefused; order(order: PaymentOrder): NetworkAnswer }

export type OrderIntakeOptions = {
  readonly now: Clock
  readonly ledger: NetworkLedger
  readonly decode: (content: string) => MemoryQr | undefined
  /** The amount that is paid. */
  readonly paying: (order: PaymentOrder) => Bob
  readonly isReadingSingleUse: boolean
}

export function orderIntake(options: OrderIntakeOptions): OrderIntake {
  const { now, ledger, decode, paying, isReadingSingleUse } = options
  const used = new Set<string>()
  let readings = 0
  return {
    read: (content) => {
      const qr = decode(content)
      if (qr === undefined) return { type: 'refused_qr', reason: 'QR_INVALID' }
      if (isExpired(qr, now())) return { type: 'refused_qr', reason: 'QR_EXPIRED' }
      const { scenario: _, ...says } = qr
      return { type: 'read', networkRef: networkRef(++readings, content), ...says }
    },
    order: (order) => {
      const qr = decode(order.content)
      if (qr === undefined) return { type: 'not_sent', reason: 'QR_INVALID' }
      const fault = faultOf(order, qr)
      if (fault !== undefined) return { type: 'not_sent', reason: fault }
      if (isReadingSingleUse && used.has(order.networkRef))
        return { type: 'unknown', reason: 'READING_USED', breach: true }
      used.add(order.networkRef)
      const outcome = isExpired(qr, now()) ? 'refused_qr' : sandboxOutcomes[qr.scenario]
      return ledger.enter(order, outcome, paying(order))
    },
  }
}

const isExpired = (qr: MemoryQr, now: Date): boolean => qr.expiresAt !== null && qr.expiresAt <= now

/** Contains a digest of the content, so that readings need not be stored. */
const networkRef = (reading: number, content: string): string => `${reading}-${sha256(content).slice(0, 16)}`

/** Why the network rejects an order without entering it. */
function faultOf(order: PaymentOrder, qr: MemoryQr): string | undefined {
  const [reading = ''] = order.networkRef.split('-')
  if (order.networkRef !== networkRef(Number(reading), order.content)) return 'UNKNOWN_NETWORK_REF'
  if (qr.amount !== null && qr.amount.minor !== order.amount.minor) return 'AMOUNT_MISMATCH'
  return qr.description === null && order.description === null ? 'DESCRIPTION_REQUIRED' : undefined
}
