import { type Commit, type EventRecord, type Payout, type Step, type Transfer } from '@quipu/core'

/** One payout's write as the database takes it: JSON of its columns, and its event's bytes apart. */
export type Item = {
  readonly tenantId: string
  readonly payoutId: string
  readonly commit: Commit
  /** All members of the row but those that depend on its place in a batch. */
  readonly row: string
  readonly body: Uint8Array | null
}

/** @throws when the write is not one that the core makes: a bug, of this item alone */
export function itemOf(commit: Commit): Item {
  const { id: payoutId, tenantId } = commit.step.payout
  const body = commit.kind === 'apply' ? null : (commit.event?.body ?? null)
  return { tenantId, payoutId, commit, row: JSON.stringify(rowOf(commit)).slice(1, -1), body }
}

/** The parameters of a batch: its rows, and the bytes of all its events, one after the other. */
export function batchOf(items: readonly Item[]): readonly [rows: string, bodies: Buffer] {
  let from = 1
  const rows = items.map(({ row, body }, ord) => {
    const place = body === null ? '' : `,"body_from":${from},"body_size":${body.length}`
    from += body?.length ?? 0
    return `{"ord":${ord},${row}${place}}`
  })
  return [`[${rows.join(',')}]`, Buffer.concat(items.flatMap(({ body }) => body ?? []))]
}

function rowOf(commit: Commit): object {
  switch (commit.kind) {
    case 'apply': {
      const { payout } = commit.step
      const hold = transferOf(commit.step)
      if (hold.type !== 'hold') throw new Error(`payout ${payout.id}: applied with a ${hold.type}`)
      return {
        ...requestRow(payout, commit.fingerprint),
        network_ref: payout.networkRef,
        hold: hold.amount.minor.toString(),
        lease_seconds: commit.leaseSeconds,
      }
    }
    case 'refuse': {
      const { payout } = commit.step
      return {
        ...requestRow(payout, commit.fingerprint),
        status: payout.status,
        error_code: payout.error.code,
        error_message: payout.error.message,
        ended_at: payout.endedAt,
        ...eventRow(commit.event),
      }
    }
    case 'settle': {
      const { payout } = commit.step
      const { type, amount } = transferOf(commit.step)
      if (type !== 'capture' && type !== 'release')
        throw new Error(`payout ${payout.id}: settled with a ${type}`)
      return {
        tenant_id: commit.claim.tenantId,
        payout_id: commit.claim.payoutId,
        fence: commit.claim.fence,
        created_at: payout.createdAt,
        transfer_type: type,
        amount: amount.minor.toString(),
        status: payout.status,
        ended_at: payout.endedAt,
        ...(payout.status === 'completed'
          ? { network_payment_id: payout.networkPaymentId }
          : { error_code: payout.error.code, error_message: payout.error.message }),
        ...eventRow(commit.event),
      }
    }
  }
}

const requestRow = (payout: Payout, fingerprint: string): object => ({
  tenant_id: payout.tenantId,
  payout_id: payout.id,
  transaction_id: payout.transactionId,
  fingerprint,
  quote_id: payout.quoteId,
  resolution_id: payout.resolutionId,
  target: payout.target.minor.toString(),
  created_at: payout.createdAt,
  qr_mode: payout.qr?.amountMode,
  merchant_name: payout.qr?.merchant.name,
  bank_code: payout.qr?.merchant.bankCode,
})

const eventRow = (event: EventRecord | null): object =>
  event === null
    ? {}
    : {
        event_id: event.id,
        event_type: event.type,
        occurred_at: event.occurredAt,
        recorded_at: event.recordedAt,
      }

function transferOf({ payout, effects }: Step): Transfer {
  const [effect, ...more] = effects.filter((each) => each.type === 'transfer')
  if (effect === undefined || more.length > 0)
    throw new Error(`payout ${payout.id}: not one transfer in a step that moves its price`)
  return effect.transfer
}
