import { expect, test } from 'vitest'
import { auditStart } from './audit-chain.ts'
import type { AuditFlaw, AuditLog, AuditPosition } from './ports.ts'
import { containsEntry, verifyAuditLog } from './verify-audit-log.ts'

const positionOf = (id: bigint): AuditPosition => ({ id, hash: `hash ${id}` })

/** A log of this number of entries, and the sizes of the slices that were verified. */
function logOf(entries: number, flawAt = Infinity) {
  const sizes: number[] = []
  const audit: Pick<AuditLog, 'verify'> = {
    verify: async ({ id }, size) => {
      sizes.push(size)
      const last = Math.min(Number(id) + size, entries, flawAt - 1)
      const isFlawed = flawAt <= Number(id) + size
      return { flaw: isFlawed ? flawOf(flawAt) : null, verified: positionOf(BigInt(last)), count: last - Number(id) }
    },
  }
  return { audit, sizes }
}
const flawOf = (id: number): AuditFlaw => ({ id: BigInt(id), detail: 'its hash is another one' })

test.each([
  { log: 2_500, walk: 10_000, sizes: [1_000, 1_000, 1_000], verified: 2_500n, isComplete: true },
  { log: 2_500, walk: 1_500, sizes: [1_000, 500], verified: 1_500n, isComplete: false },
  { log: 2_500, walk: 2_500, sizes: [1_000, 1_000, 500], verified: 2_500n, isComplete: false },
  { log: 2_499, walk: 2_500, sizes: [1_000, 1_000, 500], verified: 2_499n, isComplete: true },
  { log: 1_000, walk: 1_000, sizes: [1_000], verified: 1_000n, isComplete: false },
  { log: 1_000, walk: 1_001, sizes: [1_000, 1], verified: 1_000n, isComplete: true },
])('a walk of $walk entries over $log ends at $verified', async ({ log, walk, sizes, verified, isComplete }) => {
  const { audit, sizes: walked } = logOf(log)
  const found = await verifyAuditLog(audit, auditStart, walk)
  expect(found).toEqual({ flaw: null, verified: positionOf(verified), isComplete })
  expect(walked).toEqual(sizes)
})

test('a walk ends at the first flaw, also in the last slice', async () => {
  for (const flawAt of [1_001, 1_500, 2_400]) {
    const { audit, sizes } = logOf(2_500, flawAt)
    expect(await verifyAuditLog(audit, auditStart, 10_000)).toEqual({
      flaw: flawOf(flawAt),
      verified: positionOf(BigInt(flawAt - 1)),
      isComplete: false,
    })
    expect(sizes).toHaveLength(Math.ceil(flawAt / 1_000))
  }
})

test('the log contains a position without a flaw', async () => {
  const { audit, sizes } = logOf(10, 5)
  expect(await containsEntry(audit, positionOf(4n))).toBe(true)
  expect(await containsEntry(audit, positionOf(5n))).toBe(false)
  expect(sizes).toEqual([0, 0])
})
