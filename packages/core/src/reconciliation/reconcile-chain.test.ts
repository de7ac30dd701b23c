import { expect, test } from 'vitest'
import { balancesHarness, funded, startedAt } from './compare-balances.fixture.ts'
import { reconcileChain, type ReconcileChainPorts } from './reconcile-slice.ts'
import type { ReconciledSlice, ReconciliationRun } from './run.ts'

/** The addresses 50 to 99 are of this day. */
const createdAt = new Date(startedAt.getTime() + 86_400_000)
const run: ReconciliationRun = {
  id: 'rcn_1',
  check: 'chain',
  period: null,
  scheduledFor: null,
  requestedBy: 'ana',
  createdAt,
  position: 50,
  slices: 1,
  compared: 0,
  differences: 0,
  completedAt: null,
  failure: null,
  mac: null,
}

test('a slice of balances begins where the run is, with the addresses of the day of the run', async () => {
  const { ports, reads } = balancesHarness({ 3: funded(0n), 50: funded(0n), 99: funded(1n) })
  const claim = { id: run.id, fencingToken: 7 }
  const slices: ReconciledSlice[] = []
  const advance: ReconcileChainPorts['reconciliations']['advance'] = async (of, slice) => {
    expect(of).toEqual(claim)
    slices.push(slice)
    return true
  }
  const reconciliations: ReconcileChainPorts['reconciliations'] = {
    ...ports.reconciliations,
    advance,
    yieldClaim: async () => true,
    claimDue: async (checks, leaseSeconds) => {
      expect([checks, leaseSeconds]).toEqual([['chain'], 300])
      return { claim, run }
    },
  }
  const settings = { leaseSeconds: 300, retrySeconds: 60 }
  const reconcile = reconcileChain({ ...ports, reconciliations, runMacKeys: undefined }, 'tron', settings)
  const slice = { position: 100, isLast: true, compared: 2, differences: 1 }
  expect(await reconcile()).toEqual({ type: 'completed', run, slice })
  expect(slices).toEqual([slice])
  expect(reads).toEqual([['50', '99'], ['99']])
})
