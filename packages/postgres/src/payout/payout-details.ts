import type { AmountMode, PayoutQr, ProcessingPayout, DeclinedPayout } from '@quipu/core/adapter'

/**
 * The column `details`: the members of a payout that no statement reads. A new one needs no column and no
 * parameter. What a payout lacks is left out.
 */
export type PayoutDetails = {
  readonly qr_mode?: AmountMode
  readonly merchant_name?: string
  readonly bank_code?: string
  readonly network_ref?: string
  /** The sampled trace of the request that accepted the payout. */
  readonly traceparent?: string
}

/** The JSON of the column. */
export function detailsText(payout: ProcessingPayout | DeclinedPayout, traceparent?: string): string {
  const { qr } = payout
  const details: PayoutDetails = {
    ...(qr && { qr_mode: qr.amountMode, merchant_name: qr.merchant.name, bank_code: qr.merchant.bankCode }),
    ...('networkRef' in payout && { network_ref: payout.networkRef }),
    ...(traceparent !== undefined && { traceparent }),
  }
  return JSON.stringify(details)
}

/**
 * The QR of a stored payout; null when it could not be read.
 *
 * @throws Error when the values are of no kind that `detailsText` writes
 */
export function qrFromDetails(details: PayoutDetails): PayoutQr | null {
  const { qr_mode: amountMode, merchant_name: name = '', bank_code: bankCode = '' } = details
  if (amountMode === undefined) return null
  if (!modes.includes(amountMode) || typeof name !== 'string' || typeof bankCode !== 'string')
    throw new Error(`the details of the QR are ${JSON.stringify(details)}`)
  return { amountMode, merchant: { name, bankCode } }
}

const modes: readonly AmountMode[] = ['closed', 'open']
