import type {
  AmountMode,
  PayoutDraft,
  PayoutMetadata,
  PayoutQr,
  ProcessingPayout,
  DeclinedPayout,
} from '@quipu/core/adapter'

/**
 * The column `details`: the members of a payout that no index and no guard needs. A new one needs no column and no
 * parameter; one that the event shows belongs to `labels`. A member that a payout lacks is left out.
 */
export type PayoutDetails = {
  /**
   * As the event of the payout's end has it, byte for byte: SQL copies its text (migrations/0005-payout-commits.sql), so
   * tenants get every member.
   */
  readonly qr?:
    | { readonly amount_mode: AmountMode; readonly merchant: { readonly name: string; readonly bank_code: string } }
    | undefined
  /** As the event of the payout's end has both, as `qr`. */
  readonly labels?: { readonly description: string | null; readonly metadata: PayoutMetadata } | undefined
  readonly network_ref?: string | undefined
  /** `markOrdered` comes before the order: without its mark the order never left. */
  readonly marks_order?: true | undefined
  /** The sampled trace of the request that accepted the payout. */
  readonly traceparent?: string | undefined
}

/** The JSON of the column. */
export function detailsText(
  payout: ProcessingPayout | DeclinedPayout,
  { traceparent, marksOrder }: { readonly traceparent?: string; readonly marksOrder?: true } = {},
): string {
  const { qr, description, metadata } = payout
  const details: PayoutDetails = {
    qr: qr
      ? { amount_mode: qr.amountMode, merchant: { name: qr.merchant.name, bank_code: qr.merchant.bankCode } }
      : undefined,
    labels:
      description === undefined && metadata === undefined
        ? undefined
        : { description: description ?? null, metadata: metadata ?? {} },
    network_ref: 'networkRef' in payout ? payout.networkRef : undefined,
    marks_order: marksOrder,
    traceparent,
  }
  return JSON.stringify(details)
}

/**
 * The QR of a stored payout; null when it could not be read.
 *
 * @throws Error when the values are of no kind that `detailsText` writes
 */
export function qrFromDetails(details: PayoutDetails): PayoutQr | null {
  if (details.qr === undefined) return null
  const { amount_mode: amountMode, merchant } = details.qr
  const { name, bank_code: bankCode } = merchant ?? {}
  if (!modes.includes(amountMode) || typeof name !== 'string' || typeof bankCode !== 'string')
    throw new Error(`the details of the QR are ${JSON.stringify(details)}`)
  return { amountMode, merchant: { name, bankCode } }
}

const modes: readonly AmountMode[] = ['closed', 'open']

/** The tenant's own texts of a stored payout. */
export function labelsFromDetails({ labels }: PayoutDetails): Pick<PayoutDraft, 'description' | 'metadata'> {
  if (labels === undefined) return {}
  const { description, metadata } = labels
  return { description: description ?? undefined, metadata: Object.keys(metadata).length === 0 ? undefined : metadata }
}
