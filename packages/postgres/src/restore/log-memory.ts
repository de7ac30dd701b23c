import type { PaymentGate } from '@quipu/core/operator'
import { runStatement, type Session } from '../connection/run-statement.ts'
import { type Statement, statement } from '../connection/database.ts'

/** The answer of `observe_log`. Without a row of `quipu.lineage` every member is null. */
type Observed = {
  readonly installation: string | null
  readonly confirmations: number | null
  readonly haltedAt: Date | null
  readonly haltReason: NonNullable<PaymentGate['halt']>['reason'] | null
  readonly haltDetail: string | null
  readonly serverStart: string | null
  readonly comparedFrom: Date | null
  readonly stoppedAt: Date | null
  readonly stoppedBy: string | null
  readonly stopReason: string | null
}

// Decided by migrations/0040-restores.sql.
const observeLog = statement('observe_log')`
  select o.installation, o.confirmations, o.halted_at as "haltedAt", o.halt_reason as "haltReason",
    o.halt_detail as "haltDetail", to_json(o.server_start)#>>'{}' as "serverStart",
    o.compared_from as "comparedFrom", o.stopped_at as "stoppedAt", o.stopped_by as "stoppedBy",
    o.stop_reason as "stopReason"
  from quipu.observe_log($1, $2, $3, $4, $5) o`

/** A payout that this process has inserted. */
type OwnPayout = { readonly tenantId: string; readonly id: string }

/**
 * The durable writes of this process, by which it notices a database that has gone back to an earlier moment: the
 * highest position of the log, and its newest payout. A server writes to the log when it starts, so a position alone
 * does not show the loss of a single payment.
 */
export type LogMemory = {
  /** Remembers a position of a commit that was acknowledged, such as `16/B374D848`. */
  written(position: string, newest?: OwnPayout): void
  /** Compares it with the database, which halts payments when something is missing. */
  observe(query: (statement: Statement, values: readonly unknown[]) => Promise<unknown[]>): Promise<PaymentGate>
  /** As the database has it; undefined before the first `observe`. */
  installation(): string | undefined
}

export function logMemory(monotonic: () => number = () => performance.now()): LogMemory {
  type Seen = { readonly position: string; readonly confirmations: number; readonly at: number }
  let seen: Seen | undefined
  let newest: OwnPayout | undefined
  let confirmations: number | undefined
  let installation: string | undefined
  // A write on a server that is not accepted shows nothing about its past.
  let isAccepted = false

  /** A confirmed restore is a new beginning: what was written before may be gone. */
  const begin = (now: number | null): void => {
    if (now === null || now === confirmations) return
    if (confirmations !== undefined && now > confirmations) seen = newest = undefined
    confirmations = now
  }
  return {
    written: (position, own) => {
      isAccepted ||= own !== undefined // No payout is accepted before.
      if (confirmations === undefined || !isAccepted) return
      newest = own ?? newest
      if (position === seen?.position) return
      const isLower = seen !== undefined && lsn(position) < lsn(seen.position)
      const highest = isLower && seen ? seen.position : position
      seen = { position: highest, confirmations: seen?.confirmations ?? confirmations, at: monotonic() }
    },
    observe: async (query) => {
      const values = [
        seen?.position ?? null,
        seen?.confirmations ?? null,
        newest?.tenantId ?? null,
        newest?.id ?? null,
        seen === undefined ? null : monotonic() - seen.at,
      ]
      const [row] = (await query(observeLog, values)) as Observed[]
      if (row === undefined) throw new Error('observe_log answered no row')
      begin(row.confirmations)
      installation = row.installation ?? installation
      isAccepted = row.serverStart === null
      return gateOf(row)
    },
    installation: () => installation,
  }
}

/** Compares with the database in a session that has just begun. */
export const observeIn =
  (memory: Pick<LogMemory, 'observe'>, withinMs: number) =>
  async (client: Session): Promise<void> => {
    await memory.observe((statement, values) => runStatement(client, statement, values, withinMs))
  }

const gateOf = (row: Observed): PaymentGate => ({
  stop: row.stoppedAt && { at: row.stoppedAt, by: row.stoppedBy ?? '', reason: row.stopReason ?? '' },
  halt:
    row.haltedAt && row.haltReason ? { reason: row.haltReason, detail: row.haltDetail ?? '', at: row.haltedAt } : null,
  unchecked: row.serverStart && row.comparedFrom ? { start: row.serverStart, comparedFrom: row.comparedFrom } : null,
  confirmations: row.confirmations ?? 0,
  installation: row.installation,
})

/** The number that a position stands for. */
function lsn(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
