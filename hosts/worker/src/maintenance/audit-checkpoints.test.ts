import type { Alert } from '@quipu/core'
import { type AuditCheckpoint, type AuditPosition, isCheckpointSigned } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { type AuditCheckpointPorts, auditCheckpoints } from './audit-checkpoints.ts'

const at = new Date('2026-11-20T10:00:00.000Z')
const key = new Uint8Array(32).fill(7)
const positionAt = (id: bigint): AuditPosition => ({ id, hash: `${id}`.repeat(64) })
const detail = 'the entry has another hash than it had'

/** A log of this number of entries, whose oldest ones up to `forgedTo` were computed anew. */
function harness() {
  const log = { entries: 0n, forgedTo: 0n }
  const verifiedFrom: bigint[] = []
  const written: AuditCheckpoint[] = []
  const alerts: Alert[] = []
  const audit: AuditCheckpointPorts['audit'] = {
    list: async () => {
      const about = { actor: 'ana', action: 'tenant.update' as const, tenantId: null, subject: 's', at }
      const origin = { tokenId: null, address: null, session: null }
      const newest = { ...positionAt(log.entries), ...about, ...origin, before: null, after: null }
      return log.entries === 0n ? [] : [newest]
    },
    verify: async (after) => {
      verifiedFrom.push(after.id)
      return after.id <= log.forgedTo
        ? { flaw: { id: after.id, detail }, verified: after, count: 0 }
        : { flaw: null, verified: positionAt(log.entries), count: 0 }
    },
  }
  const task = auditCheckpoints(
    {
      audit,
      now: () => at,
      raiseAlert: (alert) => void alerts.push(alert),
      write: (checkpoint) => void written.push(checkpoint),
    },
    key,
  )
  return { log, verifiedFrom, written, alerts, task }
}

const idsOf = (checkpoints: readonly AuditCheckpoint[]) => checkpoints.map(({ id }) => id)

test('signs the newest entry each time, and nothing while the log is empty', async () => {
  const { log, verifiedFrom, written, alerts, task } = harness()
  for (const entries of [0n, 2n, 5n, 5n]) {
    log.entries = entries
    await task()
  }
  expect(idsOf(written)).toEqual([2n, 5n, 5n])
  expect(verifiedFrom).toEqual([2n, 5n])
  expect(written.every((checkpoint) => isCheckpointSigned(key, checkpoint))).toBe(true)
  expect(written[0]).toMatchObject({ ...positionAt(2n), at })
  expect(alerts).toEqual([])
})

test('raises an alert and signs nothing while the log does not contain the last checkpoint', async () => {
  const { log, verifiedFrom, written, alerts, task } = harness()
  log.entries = 2n
  await task()
  Object.assign(log, { entries: 5n, forgedTo: 2n })
  await task()
  await task()
  expect(idsOf(written)).toEqual([2n])
  const alert = { code: 'LEDGER_DIFFERENCE', tenantId: null, subject: 'audit_log 2', detail }
  expect(alerts).toEqual([alert, alert])
  log.forgedTo = 0n
  await task()
  expect(idsOf(written)).toEqual([2n, 5n])
  expect(verifiedFrom).toEqual([2n, 2n, 2n])
})
