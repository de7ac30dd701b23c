import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Plan } from './plan.ts'
import { runFailover } from './run-failover.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { makeTemplate } from '../run/template.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder('failover-test')
  await makeTemplate(path.join(folder.path, 'template'))
})
afterAll(() => folder[Symbol.asyncDispose]())

/** The stall lasts until the client has an answer. */
const untilAnswered = {
  beforeStallMs: 0,
  stallMs: null,
  faultAtMs: [],
  resumedMs: 0,
  outageMs: 0,
  earlyAddress: false,
} as const

const plans: readonly Plan[] = [
  { ...untilAnswered, seed: 2, load: 'quiet', fault: 'cancel', faultAtMs: [1_000] },
  { ...untilAnswered, seed: 3, load: 'quiet', fault: 'crash', faultAtMs: [1_000], stallMs: 14_000 },
  { ...untilAnswered, seed: 4, load: 'busy', fault: 'terminate', faultAtMs: [1_000], stallMs: 14_000 },
]

describe.concurrent('a fail-over to a stalled synchronous standby', () => {
  for (const [index, plan] of plans.entries()) {
    const tags = index === 0 ? [] : ['long']
    test(`pays once and keeps every answered payout: ${plan.load}, ${plan.fault}`, { tags }, async ({ expect }) => {
      const folders = { template: path.join(folder.path, 'template'), folder: folder.path }
      const { orders, answered, answers, violations } = await runFailover(plan, folders)
      expect(violations).toEqual([])
      expect(answered).toBe(orders)
      // The stall was longer than the adapter's timeout.
      expect(answers['POST 503']).toBeGreaterThan(0)
    })
  }
})
