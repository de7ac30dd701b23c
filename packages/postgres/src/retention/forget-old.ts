import { lowestId } from '@quipu/core/adapter'
import type pg from 'pg'
import { answerTimeoutMs, clientConfig, withSession } from '../connection/connection.ts'
import { runStatement } from '../connection/run-statement.ts'
import { lowestEventId } from '../page.ts'

const dayMs = 86_400_000
const rowsMax = 1_000

/** Quotes that no payout used are deleted after it, and readings of QRs. */
export const unusedDays = 30

// Decided by migrations/0049-retention.sql.
const forgetQuotes = {
  name: 'forget_quotes',
  text: 'select f.reached, f.deleted from quipu.forget_quotes($1, $2, $3) f',
}
const forgetRecords = {
  name: 'forget_records',
  text: 'select f.resolutions, f.notes from quipu.forget_records($1, $2, $3) f',
}
const forgetRequests = { name: 'forget_requests', text: 'select quipu.forget_requests() as days' }

/** How many rows were deleted, and how many days of requests. */
export type Forgotten = {
  readonly quotes: number
  readonly resolutions: number
  readonly notes: number
  readonly requestDays: number
}

/**
 * Deletes what docs/operations/data.md keeps for a time: the quotes of the day `unusedDays + 1` before that no payout used, and
 * all resolutions, notes and requests that are old enough.
 *
 * Call it once for each UTC day, some minutes after the day has begun; repeated and concurrent calls are safe.
 *
 * @param day  `2026-11-20`
 * @throws Error when the database does not answer; what was deleted before stays deleted
 */
export function forgetOld(connection: string | pg.ClientConfig, day: string): Promise<Forgotten> {
  const config = clientConfig({ url: connection })
  const within = answerTimeoutMs(config)
  const daysBefore = (days: number): Date => new Date(Date.parse(`${day}T00:00:00Z`) - days * dayMs)
  const end = lowestEventId(daysBefore(unusedDays).getTime())
  return withSession(config, async (client) => {
    let quotes = 0
    let after: string | null = lowestEventId(daysBefore(unusedDays + 1).getTime())
    while (after !== null) {
      const values: readonly unknown[] = [after, end, rowsMax]
      const [row]: { reached: string | null; deleted: number }[] = await runStatement(
        client,
        forgetQuotes,
        values,
        within,
      )
      quotes += row?.deleted ?? 0
      after = row?.reached ?? null
    }
    const befores = [lowestId('qrr', daysBefore(unusedDays)), lowestId('nte', daysBefore(731))]
    let [resolutions, notes, most] = [0, 0, rowsMax]
    while (most === rowsMax) {
      const [row] = await runStatement<Forgotten>(client, forgetRecords, [...befores, rowsMax], within)
      resolutions += row?.resolutions ?? 0
      notes += row?.notes ?? 0
      most = Math.max(row?.resolutions ?? 0, row?.notes ?? 0)
    }
    const [dropped] = await runStatement<{ days: number }>(client, forgetRequests, [], within)
    return { quotes, resolutions, notes, requestDays: dropped?.days ?? 0 }
  })
}
