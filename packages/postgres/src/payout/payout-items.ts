import type { Commit, EventPlaces, EventRecord, Payout, Step, Transfer } from '@quipu/core'
import { type Member, membersText, rowsText } from '../connection/row-text.ts'

/** One payout's write as the database takes it. */
export type Item = {
  readonly tenantId: string
  readonly payoutId: string
  readonly commit: Commit
  /** The members of its row, less the last two: where in the batch its event's bytes are. */
  readonly members: string
  readonly body: Uint8Array | null
}

/** The members of `quipu.opening` and `quipu.settlement`, in their order there. */
export const openingMembers: readonly string[] = `
  tenant_id payout_id transaction_id fingerprint quote_id resolution_id target created_at
  qr_mode merchant_name bank_code network_ref hold lease_seconds
  status error_code error_message ended_at event_id event_type occurred_at recorded_at
`
  .trim()
  .split(/\s+/)
export const settlementMembers: readonly string[] = `
  tenant_id payout_id fence transfer_type amount
  status error_code error_message ended_at network_payment_id
  event_id event_type occurred_at recorded_at
  id_place occurred_place recorded_place ended_place
`
  .trim()
  .split(/\s+/)

type Row = Readonly<Record<string, Member>>

/** @throws when the write is not one that the core makes: a bug, of this item alone */
export function itemOf(commit: Commit): Item {
  const { id: payoutId, tenantId } = commit.step.payout
  const names = commit.kind === 'settle' ? settlementMembers : openingMembers
  const row = rowOf(commit)
  const body = commit.kind === 'apply' ? null : (commit.event?.body ?? null)
  const members = membersText(names.map((name) => row[name]))
  return { tenantId, payoutId, commit, members, body }
}

/** The parameters of a batch: its rows, and the bytes of all their events, one after the other. */
export function batchOf(items: readonly Item[]): readonly [rows: string, bodies: Buffer] {
  let from = 1
  const rows = items.map(({ members, body }) => {
    const size = body?.length ?? 0
    const row = `${members},${from},${size}`
    from += size
    return row
  })
  return [rowsText(rows), Buffer.concat(items.flatMap(({ body }) => body ?? []))]
}

function rowOf(commit: Commit): Row {
  switch (commit.kind) {
    case 'apply': {
      const { payout } = commit.step
      return {
        ...requestRow(payout, commit.fingerprint),
        network_ref: payout.networkRef,
        hold: amountOf(commit.step, 'hold'),
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
      const type = payout.status === 'completed' ? 'capture' : 'release'
      const error = payout.status === 'completed' ? undefined : payout.error
      return {
        tenant_id: commit.claim.tenantId,
        payout_id: commit.claim.payoutId,
        fence: commit.claim.fence,
        transfer_type: type,
        amount: amountOf(commit.step, type),
        status: payout.status,
        error_code: error?.code,
        error_message: error?.message,
        ended_at: payout.endedAt,
        network_payment_id: payout.status === 'completed' ? payout.networkPaymentId : null,
        ...eventRow(commit.event),
        ...placesRow(commit.event?.places),
      }
    }
  }
}

const requestRow = (payout: Payout, fingerprint: string): Row => ({
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

const eventRow = (event: EventRecord | null): Row => ({
  event_id: event?.id,
  event_type: event?.type,
  occurred_at: event?.occurredAt,
  recorded_at: event?.recordedAt,
})

const placesRow = (places: EventPlaces | undefined): Row => ({
  id_place: places?.id,
  occurred_place: places?.occurredAt,
  recorded_place: places?.recordedAt,
  ended_place: places?.settledAt,
})

/** The step's one transfer, whose type follows from the state. */
function amountOf({ payout, effects }: Step, type: Transfer['type']): string {
  const [effect, ...more] = effects.filter((each) => each.type === 'transfer')
  if (effect?.transfer.type !== type || more.length > 0)
    throw new Error(`payout ${payout.id}: its step is not one ${type}`)
  return effect.transfer.amount.minor.toString()
}
