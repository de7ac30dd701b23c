import { Unavailable } from '@quipu/core'
import type { QrRead, QrRefused } from '@quipu/core/adapter'
import { endOfDate } from './bolivian-time.ts'
import { type Heard, silenceOf } from './envelope.ts'
import { bolivianosOf, factOf, memberOf, referenceOf, shown } from './fields.ts'

/** The codes about the content itself, and the reasons of the HTTP contract for them. */
const refusals: Readonly<Record<string, string>> = { '08': 'QR_EXPIRED', '09': 'QR_INVALID', '10': 'QR_CURRENCY' }

export const invalidQr: QrRefused = { type: 'refused_qr', reason: 'QR_INVALID' }

/**
 * Interprets the answer to a scan. A reading whose facts are invalid is refused: OpenHub answers the same to every retry.
 *
 * @throws Unavailable unless the answer is a reading, or a code about the content
 */
export function readingIn(heard: Heard): QrRead | QrRefused {
  if (heard.type !== 'envelope') throw new Unavailable('qr_network', silenceOf(heard))
  const reason = refusals[heard.code]
  if (reason !== undefined) return { type: 'refused_qr', reason }
  const { code, data, said } = heard
  if (code !== '00' || typeof data !== 'object' || data === null) throw new Unavailable('qr_network', said)
  if (factOf(data, 'moneda')?.toUpperCase() !== 'BOB') return { type: 'refused_qr', reason: 'QR_CURRENCY' }
  const [networkRef, amount] = [referenceOf(data), bolivianosOf(data, 'importe')]
  if (networkRef === undefined || amount === undefined) {
    const member = networkRef === undefined ? 'numeroReferencia' : 'importe'
    return { type: 'refused_qr', reason: `invalid answer: ${member}` }
  }
  const isOpen = amount.minor === 0n
  const text = (name: string): string => shown(memberOf(data, name) ?? '')
  return {
    type: 'read',
    networkRef,
    amountMode: isOpen ? 'open' : 'closed',
    amount: isOpen ? null : amount,
    merchant: {
      name: text('titularDestino') || text('nombreBancoDestino') || 'Comercio QR',
      bankCode: text('codigoBancoDestino'),
    },
    // A QR that has one gets none, also where nothing of its own can be shown.
    description: memberOf(data, 'glosa') === undefined ? null : text('glosa') || '…',
    expiresAt: endOfDate(memberOf(data, 'fechaVencimiento')),
  }
}
