import type { Chain } from '../chain/chain.ts'
import type { DifferenceStore } from '../difference/ports.ts'
import type { Clock } from '../time.ts'
import { compareBalances, type CompareBalancesPorts } from './compare-balances.ts'
import { compareStatement, type CompareStatementPorts } from './compare-statement.ts'
import type { ReconciliationStore } from './ports.ts'
import {
  type ReconciledPeriod,
  type ReconciledSlice,
  type ReconciliationCheck,
  type ReconciliationRun,
  sliceStart,
  statementSliceMs,
} from './run.ts'
import { isGenuine, runMac, type RunMacKeys } from './run-mac.ts'
import { Unavailable } from '../unavailable.ts'
import { checkSettings, type SettingsShape } from '../check-settings.ts'

type RunPorts = RunMacKeys & {
  readonly reconciliations: Pick<ReconciliationStore, 'claimDue' | 'advance' | 'yieldClaim'>
  readonly now: Clock
}

/** The ports of `reconcileNetwork`. */
export type ReconcileNetworkPorts = RunPorts &
  CompareStatementPorts & { readonly differences: Pick<DifferenceStore, 'list'> }

/** The ports of `reconcileChain`. */
export type ReconcileChainPorts = RunPorts & CompareBalancesPorts

/** How a slice is executed. */
export type ReconcileSliceSettings = {
  /** How long a run stays leased to a process that has stopped responding. */
  readonly leaseSeconds: number
  /** After how long a slice that failed is repeated. */
  readonly retrySeconds: number
}

const reconcileSliceSettingsShape: SettingsShape<ReconcileSliceSettings> = {
  leaseSeconds: 'positive',
  retrySeconds: 'number',
}

/** The outcome of one slice. */
export type ReconcileSliceResult =
  /** No run is due. */
  | { readonly type: 'idle' }
  | {
      readonly type: 'advanced' | 'completed'
      /** As it was before the slice. */
      readonly run: ReconciliationRun
      readonly slice: ReconciledSlice
    }
  /** The lease ended during the slice; another process repeats it. */
  | { readonly type: 'stale'; readonly run: ReconciliationRun }
  /** No process left the run as it is. It is ended without a comparison and without a MAC, so that it is replaced. */
  | { readonly type: 'forged'; readonly run: ReconciliationRun }
  | { readonly type: 'failed'; readonly run: ReconciliationRun; readonly error: unknown }

/**
 * Executes the next slice of a run. Progress is committed after each slice, so a process that takes the run over
 * repeats only the slice that was under way.
 *
 * @throws Unavailable when no run can be claimed
 */
export type ReconcileSlice = () => Promise<ReconcileSliceResult>

/**
 * Compares the network's statement with the payouts: the next half hour of the oldest run. The end of a scheduled
 * run compares earlier slices with open differences again, so that those which were settled since are gone.
 *
 * @example
 * ```ts
 * await scheduleReconciliation(ports, defaultReconciliationTiming)(['network'])
 * const reconcile = reconcileNetwork(ports, { leaseSeconds: 300, retrySeconds: 60 })
 * const { type } = await reconcile()
 * console.log(type) // advanced
 * ```
 */
export function reconcileNetwork(ports: ReconcileNetworkPorts, settings: ReconcileSliceSettings): ReconcileSlice {
  checkSettings('reconcileNetwork', settings, reconcileSliceSettingsShape)
  return reconcileNext(ports, settings, 'network', async ({ period, position, scheduledFor }) => {
    if (period === null) throw new Error('a run of the statement without a period')
    const from = new Date(position)
    const end = Math.min(sliceStart(from).getTime() + statementSliceMs, period.to.getTime())
    const isLast = end === period.to.getTime()
    const { compared, differences } = await compareStatement(ports)({ from, to: new Date(end) })
    const isFinal = isLast && scheduledFor !== null
    const persisting = isFinal ? await compareOpenOnes(ports, period) : 0
    return { position: end, isLast, compared, differences: differences + persisting }
  })
}

/**
 * Compares the balances of top-up addresses with their transfers and sweeps: the next addresses of the oldest run.
 *
 * @example
 * ```ts
 * await scheduleReconciliation(ports, defaultReconciliationTiming)(['chain'])
 * const reconcile = reconcileChain(ports, 'tron', { leaseSeconds: 300, retrySeconds: 60 })
 * const { type } = await reconcile()
 * console.log(type) // completed
 * ```
 */
export function reconcileChain(
  ports: ReconcileChainPorts,
  chain: Chain,
  settings: ReconcileSliceSettings,
): ReconcileSlice {
  checkSettings('reconcileChain', { chain }, { chain: ['tron'] })
  checkSettings('reconcileChain', settings, reconcileSliceSettingsShape)
  return reconcileNext(ports, settings, 'chain', ({ position, createdAt }) =>
    compareBalances(ports, chain)(position, createdAt),
  )
}

const reconcileNext =
  (
    ports: RunPorts,
    { leaseSeconds, retrySeconds }: ReconcileSliceSettings,
    check: ReconciliationCheck,
    compareNext: (run: ReconciliationRun) => Promise<ReconciledSlice>,
  ): ReconcileSlice =>
  async () => {
    const { reconciliations, now, runMacKeys } = ports
    const claimed = await reconciliations.claimDue([check], leaseSeconds)
    if (claimed === undefined) return { type: 'idle' }
    const { claim, run } = claimed
    try {
      if (!isGenuine(ports, run)) {
        const position = run.period?.to.getTime() ?? run.position
        await reconciliations.advance(claim, { position, compared: 0, differences: 0, isLast: true }, now())
        return { type: 'forged', run }
      }
      const slice = await compareNext(run)
      const at = now()
      const mac = runMacKeys && runMac(runMacKeys, run, slice, at)
      const isNewest = await reconciliations.advance(claim, slice, at, mac)
      if (!isNewest) return { type: 'stale', run }
      return { type: slice.isLast ? 'completed' : 'advanced', run, slice }
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error)
      await reconciliations.yieldClaim(claim, failure, retrySeconds).catch(() => false)
      return { type: 'failed', run, error }
    }
  }

/** How many differences are read at the end of a run. */
const persistingMax = 200

/**
 * Compares the slices before the period that have open differences. One that the network cannot read keeps them, as
 * it may never be read again, and every later run would fail at its end.
 *
 * @returns the number that persist
 */
async function compareOpenOnes(ports: ReconcileNetworkPorts, { from }: ReconciledPeriod): Promise<number> {
  const query = { check: 'network', status: 'open', limit: persistingMax } as const
  const { items } = await ports.differences.list(query)
  let differences = 0
  for (const scope of new Set(items.map((each) => each.scope))) {
    const start = new Date(scope)
    // A later slice has a run of its own, and a contradiction is of no slice: its date is invalid.
    if (!(start < from)) continue
    const slice = { from: start, to: new Date(start.getTime() + statementSliceMs) }
    const known = items.filter((each) => each.scope === scope).length
    differences += await compareStatement(ports)(slice).then(
      (compared) => compared.differences,
      (error: unknown) => {
        if (error instanceof Unavailable && error.dependency === 'qr_network') return known
        throw error
      },
    )
  }
  return differences
}
