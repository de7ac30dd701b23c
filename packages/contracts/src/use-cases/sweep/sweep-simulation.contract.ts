import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TopUpAddress } from '@quipu/core'
import { isLiveSweep, type SweepPlan } from '@quipu/core/operator'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { builders } from '../../fixtures/builders.ts'
import type { Runs } from '../../fixtures/runs.ts'
import { treasuryAccount } from '../../fixtures/sweep/sweep-chain.ts'
import {
  type SweepHarness,
  sweepHarness,
  type SweepHarnessStores,
  signOffline,
} from '../../fixtures/sweep/sweep-harness.ts'

const steps = fc.array(
  fc.record({
    do: fc.constantFrom(
      ...(['deposit', 'plan', 'import_half', 'import_all', 'send_elsewhere', 'work'] as const),
      ...(['crash', 'fork', 'wait', 'wait_long', 'unplug', 'plug'] as const),
    ),
    pick: fc.nat(99),
  }),
  { minLength: 5, maxLength: 40 },
)
type Step = { readonly do: string; readonly pick: number }

export function sweepSimulationTests(open: OpenHarness<SweepHarnessStores>, { runs = 25 }: Runs): void {
  describe('any order of plans, imports, crashes, forks, losses and deposits', () => {
    test('moves each deposit to the treasury once, and forgets none', async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (script) => {
          const stores = await open()
          try {
            const h = await sweepHarness({ ...stores, ...builders<SweepHarnessStores>(stores) })
            await simulate(h, script)
          } finally {
            await stores.close()
          }
        }),
        { numRuns: runs },
      )
    }, 240_000)
  })
}

type Run = { readonly addresses: TopUpAddress[]; readonly plans: SweepPlan[]; given: bigint }

async function simulate(h: SweepHarness, script: readonly Step[]): Promise<void> {
  const first = await h.funded(5_000_000n)
  const run: Run = { addresses: [first, await h.funded(3_000_000n)], plans: [], given: 8_000_000n }
  for (const step of script) {
    await perform(h, run, step)
    await expectOneLive(h, run)
  }
  h.chain.isReachable = true
  for (let round = 0; round < 2; round++) {
    for (const plan of run.plans) await h.importSigned(plan, plan.transfers.map(signOffline))
    await h.runUntilEnded()
    await perform(h, run, { do: 'plan', pick: 0 })
  }
  for (const plan of run.plans) await h.importSigned(plan, plan.transfers.map(signOffline))
  await h.runUntilEnded()
  expect(h.chain.received(treasuryAccount)).toBe(run.given)
  expect(h.chain.included().every(({ moves }) => moves)).toBe(true)
  const swept = await h.sweeps.sweptOf(
    'tron',
    run.addresses.map(({ account }) => account),
  )
  const solid = Array.from(swept.values()).reduce((sum, each) => sum + each.solid.minor, 0n)
  expect(solid).toBe(run.given)
}

async function perform(h: SweepHarness, run: Run, { do: step, pick }: Step): Promise<void> {
  const plan = run.plans[pick % Math.max(1, run.plans.length)]
  const signed = plan?.transfers.map(signOffline) ?? []
  switch (step) {
    case 'deposit': {
      const address = run.addresses[pick % run.addresses.length]
      if (address) await h.deposit(address, 2_000_000n)
      run.given += 2_000_000n
      return
    }
    case 'plan': {
      const answer = await h.plan()
      if (answer.type === 'planned') run.plans.push(answer.plan)
      return
    }
    case 'import_half':
      if (plan) await h.importSigned(plan, signed.slice(pick % 2, (pick % 2) + 1))
      return
    case 'import_all':
      if (plan) await h.importSigned(plan, signed)
      return
    case 'send_elsewhere':
      for (const each of plan?.transfers ?? []) h.chain.include({ ...each, bytes: new Uint8Array() })
      return
    case 'work':
      await h.runWorker()
      return
    case 'crash': // A worker that has claimed and does no more.
      await h.sweeps.claimDue(50, 15)
      return
    case 'fork':
      h.chain.fork()
      return
    case 'wait':
      return h.step(1 + pick)
    case 'wait_long':
      return h.step(10_000 + pick * 600)
    default:
      h.chain.isReachable = step === 'plug'
  }
}

/** A second transfer that can still move tokens would move another deposit than it was planned for. */
async function expectOneLive(h: SweepHarness, { plans }: Run): Promise<void> {
  const stored = await Promise.all(plans.map(({ batch }) => h.sweeps.find(batch.id)))
  const live = stored.flatMap((plan) => plan?.transfers ?? []).filter(isLiveSweep)
  const accounts = live.map(({ account }) => account)
  expect(new Set(accounts).size).toBe(accounts.length)
}
