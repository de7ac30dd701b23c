import { type DepositCommit, depositEndedAt, type Redated } from '@quipu/core/adapter'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import { binaryArray, textArray } from '../batch/binary-array.ts'
import type { Database, Statement } from '../connection/database.ts'
import { eventColumns } from '../event/event-columns.ts'
import { durableResult, redatableResult, type RedatableRow } from '../event/redatable-result.ts'
import { durableEntries } from './durable-entries.ts'

export type DepositSettlement = Extract<DepositCommit, { kind: 'settle' }>

/** The result of settling a deposit. */
export type SettleResult = 'committed' | 'stale' | 'above_unverified_limit' | Redated

export type SettleRow = RedatableRow<Exclude<SettleResult, Redated>>

// Decided by migrations/0009-funding.sql.
const settleDeposits: Statement = {
  name: 'settle_deposits',
  text: `
    select results, redated_tos
    from quipu.settle_deposits($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
}

/** Settles deposits that solid blocks have decided. */
export const settleDepositsProtocol = ({
  read,
  clockOverride,
}: Pick<Database, 'read' | 'clockOverride'>): BatchProtocol<DepositSettlement, SettleRow, SettleResult> => ({
  statement: settleDeposits,
  encode: (items) => [
    ...claimColumns(items),
    textArray(items.map(({ step }) => reviewCodeOf(step.deposit))),
    textArray(items.map(({ step }) => closeReasonOf(step.deposit))),
    binaryArray(
      'timestamptz',
      items.map(({ step }) => step.event.recordedAt),
    ),
    bigints(items.map(({ unverifiedLimits }) => unverifiedLimits?.perTenant.minor)),
    bigints(items.map(({ unverifiedLimits }) => unverifiedLimits?.inAll.minor)),
    ...eventColumns(items.map(({ step }) => step.event)),
    clockOverride(),
  ],
  resultOf: redatableResult,
  readBack: async (items) => {
    const entries = await durableEntries(
      read,
      items.map(({ step }) => step.event),
    )
    return new Map(
      items.flatMap((item) => {
        const loggedAt = entries.get(item.step.event)
        if (loggedAt === undefined) return []
        const given = item.step.event.recordedAt
        const hasEnded = depositEndedAt(item.step.deposit) !== null
        return [[item, hasEnded ? durableResult(given, loggedAt) : 'committed']]
      }),
    )
  },
})

const claimColumns = (items: readonly DepositSettlement[]): readonly Buffer[] => [
  textArray(items.map(({ claim }) => claim.tenantId)),
  textArray(items.map(({ claim }) => claim.depositId)),
  binaryArray(
    'int4',
    items.map(({ claim }) => claim.fencingToken),
  ),
]

const reviewCodeOf = (deposit: DepositSettlement['step']['deposit']): string | null =>
  deposit.status === 'in_review' ? deposit.reviewCode : null

const closeReasonOf = (deposit: DepositSettlement['step']['deposit']): string | null =>
  deposit.status === 'in_review' ? (deposit.closed?.reason ?? null) : null

const bigints = (values: readonly (bigint | undefined)[]): Buffer => binaryArray('int8', values)
