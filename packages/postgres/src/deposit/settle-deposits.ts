import { type DepositCommit, depositEndedAt, type Redated } from '@quipu/core/adapter'
import { arrayParameters, namedArguments } from '../batch/array-parameters.ts'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import { type Database, statement } from '../connection/database.ts'
import { eventColumns } from '../event/event-columns.ts'
import { durableResult, redatableResult, type RedatableRow } from '../event/redatable-result.ts'
import { durableEntries } from './durable-entries.ts'

export type DepositSettlement = Extract<DepositCommit, { kind: 'settle' }>

/** The result of settling a deposit. */
export type SettleResult = 'committed' | 'stale' | 'above_unverified_limit' | Redated

export type SettleRow = RedatableRow<Exclude<SettleResult, Redated>>

const settlements = arrayParameters<DepositSettlement>({
  tenant_ids: ['text', ({ claim }) => claim.tenantId],
  deposit_ids: ['text', ({ claim }) => claim.depositId],
  fencing_tokens: ['int4', ({ claim }) => claim.fencingToken],
  review_codes: ['text', ({ step }) => reviewCodeOf(step.deposit)],
  screened_bys: ['text', ({ screenedBy }) => screenedBy],
  close_reasons: ['text', ({ step }) => closeReasonOf(step.deposit)],
  settled_ats: ['timestamptz', ({ step }) => step.event.recordedAt],
  tenant_limits: ['int8', ({ unverifiedLimits }) => unverifiedLimits?.perTenant.minor],
  total_limits: ['int8', ({ unverifiedLimits }) => unverifiedLimits?.inAll.minor],
  ...eventColumns<DepositSettlement>(({ step }) => step.event),
})

// Decided by migrations/0009-funding.sql.
const settleDeposits = statement('settle_deposits')`
  select results, redated_tos
  from quipu.settle_deposits(${namedArguments([...settlements.names, 'clock_override'])})`

/** Settles deposits that solid blocks have decided. */
export const settleDepositsProtocol = ({
  read,
  clockOverride,
}: Pick<Database, 'read' | 'clockOverride'>): BatchProtocol<DepositSettlement, SettleRow, SettleResult> => ({
  statement: settleDeposits,
  encode: (items) => [...settlements.encode(items), clockOverride()],
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

const reviewCodeOf = (deposit: DepositSettlement['step']['deposit']): string | null =>
  deposit.status === 'in_review' ? deposit.reviewCode : null

const closeReasonOf = (deposit: DepositSettlement['step']['deposit']): string | null =>
  deposit.status === 'in_review' ? (deposit.closed?.reason ?? null) : null
