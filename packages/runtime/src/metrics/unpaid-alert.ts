import type { PayoutErrorCode, RaiseAlert } from '@quipu/core'

/**
 * Whether the QR network, or the connection to it, decided such an end. The tenant's request decided the others, and
 * `AMOUNT_EXCEEDS_PROVIDER_LIMIT` too: the network's limit, as the tenant's cap, is passed by the amount requested.
 */
const isOfNetwork: Readonly<Record<PayoutErrorCode, boolean>> = {
  INSUFFICIENT_FUNDS: true,
  PAYMENT_CANCELLED: true,
  PAYMENT_FAILED: true,
  AMOUNT_EXCEEDS_PROVIDER_LIMIT: false,
  DAILY_LIMIT_EXCEEDED: false,
  INSUFFICIENT_BALANCE: false,
  QR_REFUSED: false,
  QUOTE_ALREADY_USED: false,
  QUOTE_AMOUNT_MISMATCH: false,
  QUOTE_EXPIRED: false,
  QUOTE_RESOLUTION_MISMATCH: false,
}

const counted = 20
const raisedFrom = 10
const endedBelow = 5

/**
 * Raises an alert when half of the last twenty ordered payouts of a process were not paid, and again once fewer than a
 * quarter were not in between. Ends that a tenant's own request decides, such as an expired quote, do not count.
 *
 * @returns notes the end of a payout: its error code, or null when it is completed
 */
export function unpaidAlert(raiseAlert: RaiseAlert): (code: PayoutErrorCode | null) => void {
  const last: (PayoutErrorCode | null)[] = []
  let isRaised = false
  return (code) => {
    if (code !== null && !isOfNetwork[code]) return
    last.push(code)
    if (last.length > counted) last.shift()
    const unpaid = last.filter((each) => each !== null)
    if (unpaid.length < endedBelow) isRaised = false
    if (isRaised || unpaid.length < raisedFrom) return
    isRaised = true
    const codes = [...new Set(unpaid)].map((each) => `${unpaid.filter((other) => other === each).length} ${each}`)
    const detail = `of the last ${last.length} ordered payouts ${unpaid.length} were not paid: ${codes.join(', ')}`
    raiseAlert({ code: 'PAYOUTS_FAIL', tenantId: null, subject: 'network', detail })
  }
}
