import { expect, test } from 'vitest'
import { sample } from './quint.fixture.ts'

const invariants = [
  'paidAtMostOncePerTransactionId',
  'reportedIsDurable',
  'requestedIsDurable',
] as const
const steps = 30

/** The search for a violation stops at the first one; the seed makes it repeatable. */
const search = { samples: 5_000, steps, seed: '0x3' }

test.each(invariants)('version one acts on visible rows, which violates %s', async (name) => {
  const found = await sample({ main: 'versionOne', invariants: [name], ...search })
  expect(found.isViolated, found.output).toBe(true)
})

test.each(['confirmedElsewhere', 'cancelledWaitIgnored'])(
  'without a part of the rule, %s, an order is paid twice',
  async (main) => {
    const found = await sample({ main, invariants: ['paidAtMostOncePerTransactionId'], ...search })
    expect(found.isViolated, found.output).toBe(true)
  },
)

test('no sample of the rule violates an invariant, and samples pay, settle and cancel', async () => {
  const witnesses = [
    'isPaidAfterAnApplyVanished',
    'isCompletedAndReported',
    'isCancelledAndReported',
  ]
  const found = await sample({ main: 'rule', invariants, witnesses, samples: 1_000, steps })
  expect(found.isViolated, found.output).toBe(false)
  for (const name of witnesses) expect(found.witnessed[name], found.output).toBeGreaterThan(0)
})
