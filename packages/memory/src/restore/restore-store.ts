import { Unavailable } from '@quipu/core'
import { type ActionOf, type AuditAuthor, auditPayoutStop, type RestoreStore } from '@quipu/core/operator'
import { actingToken, writers } from '../access/acting-token.ts'
import { writeAudit } from '../audit/audit-log.ts'
import type { Database } from '../table/database.ts'

/** A database in memory has no disk that could be an older one, and ends with its server. */
export const memoryRestoreStore = (database: Database): RestoreStore => ({
  gate: async () => ({
    stop: database.payoutStop,
    halt: database.paymentHalt,
    unchecked: null,
    confirmations: 0,
    installation: null,
  }),
  accept: async () => false,
  haltForgotten: async (_, detail) => {
    database.paymentHalt ??= { reason: 'payment_forgotten', detail, at: database.now() }
  },
  stop: async (reason, by) => {
    const acting = actingToken(database, by, by.at, writers)
    if (!acting) return 'unauthorized'
    if (database.payoutStop !== null) return 'stale'
    database.payoutStop = { at: by.at, by: acting.token.person, reason }
    writeAudit(database, auditPayoutStop({ reason }, acting.author))
    return 'committed'
  },
})

/** Ends the stop of an approved proposal. False when that one is over. */
export function startPayouts(
  database: Database,
  { stoppedAt }: ActionOf<'start_payouts'>,
  author: AuditAuthor,
  proposalId: string,
): boolean {
  if (database.payoutStop?.at.getTime() !== stoppedAt.getTime()) return false
  database.payoutStop = null
  writeAudit(database, auditPayoutStop({ proposalId }, author))
  return true
}

/** @throws Unavailable while payouts are stopped, or payments halted */
export function requireOpenGate({ payoutStop, paymentHalt }: Database): void {
  if (payoutStop !== null) throw new Unavailable('store', 'payouts are stopped by an operator')
  if (paymentHalt !== null) throw new Unavailable('store', `payments are halted: ${paymentHalt.detail}`)
}
