import type { AmountMode, PayoutQr, ProcessingPayout, UnappliedPayout } from '@quipu/core/adapter'

/**
 * The column `details`: the members of a payout that no statement reads. A new one needs no column and no
 * parameter. What a payout lacks is left out.
 */
export type PayoutDetails = {
  readonly qr_mode?: AmountMode
  readonly merchant_name?: string
  readonly bank_code?: string
  readonly network_ref?: string
  /** The sampled trace of the request that applied the payout. */
  readonly traceparent?: string
}

/** The JSON of the column. */
export function detailsText(
  payout: ProcessingPayout | UnappliedPayout,
  traceparent?: string,
): string {
  const { qr } = payout
  const details: PayoutDetails = {
    ...(qr && {
      qr_mode: qr.amountMode,
      merchant_name: qr.merchant.name,
      bank_code: qr.merchant.bankCode,
    }),
    ...('networkRef' in payout && { network_ref: payout.networkRef }),
    ...(traceparent !== undefined && { traceparent }),
  }
  return JSON.stringify(details)
}

/** The QR of a stored payout; null when it could not be read. */
export const qrFromDetails = ({
  qr_mode: amountMode,
  merchant_name: name = '',
  bank_code: bankCode = '',
}: PayoutDetails): PayoutQr | null =>
  amountMode === undefined ? null : { amountMode, merchant: { name, bankCode } }
