import type { Bob, Payout } from '@quipu/core'
import type { AddressFunds, PaymentRecord, ReconciliationStore } from '@quipu/core/operator'
import { type Database, type DepositRow } from '../table/database.ts'

export const memoryComparedRecords = (
  database: Database,
): Pick<ReconciliationStore, 'findPayments' | 'completedPayments' | 'addressFunds'> => ({
  findPayments: async (references) => {
    const wanted = new Set(references)
    return paymentsOf(database).filter(({ payoutId }) => wanted.has(payoutId))
  },
  async *completedPayments({ from, to }) {
    yield paymentsOf(database).filter(
      ({ status, endedAt }) => status === 'completed' && endedAt !== null && endedAt >= from && endedAt < to,
    )
  },
  addressFunds: async (chain, fromIndex, limit, throughBlock) =>
    Array.from(database.tenants.values())
      .flatMap(({ addresses }) => Array.from(addresses.values()))
      .filter((row) => row.chain === chain && row.index >= fromIndex)
      .toSorted((a, b) => a.index - b.index)
      .slice(0, limit)
      .map(({ tenantId, index, account, address }) => ({
        tenantId,
        index,
        account,
        address,
        ...receivedAt(database, address, throughBlock),
      })),
})

/** The payouts of all tenants. */
export function paymentsOf({ tenants, proposals }: Database): PaymentRecord[] {
  const settled = new Map(
    Array.from(proposals.values()).flatMap(({ action, status }) =>
      action.type === 'settle_payout' && status === 'executed' ? [[action.payoutId, action.paid] as const] : [],
    ),
  )
  return Array.from(tenants.values()).flatMap(({ payouts, wallet }) => {
    const refunds = wallet.transactions.filter(({ type }) => type === 'adjustment')
    const refunded = new Set(refunds.map(({ payoutId }) => payoutId))
    return Array.from(payouts.values(), ({ payout }) => ({
      ...recordOf(payout, settled.get(payout.id) ?? null),
      isRefunded: refunded.has(payout.id),
      isElsewhere: false,
    }))
  })
}

function recordOf(payout: Payout, settledPaid: Bob | null): Omit<PaymentRecord, 'isRefunded' | 'isElsewhere'> {
  const { id: payoutId, tenantId, status, target, createdAt } = payout
  return {
    payoutId,
    tenantId,
    status,
    target,
    settledPaid,
    createdAt,
    endedAt: 'endedAt' in payout ? payout.endedAt : null,
    networkPaymentId: payout.status === 'completed' ? payout.networkPaymentId : null,
  }
}

function receivedAt(
  { deposits }: Database,
  address: string,
  throughBlock: number,
): Pick<AddressFunds, 'received' | 'receivedThrough'> {
  const confirmed = Array.from(deposits.values()).flatMap(({ deposit, solid }: DepositRow) =>
    deposit.address === address && solid?.type === 'confirmed'
      ? [{ minor: deposit.amount.minor, block: solid.block }]
      : [],
  )
  const sumOf = (those: typeof confirmed): bigint => those.reduce((sum, { minor }) => sum + minor, 0n)
  return { received: sumOf(confirmed), receivedThrough: sumOf(confirmed.filter(({ block }) => block <= throughBlock)) }
}
