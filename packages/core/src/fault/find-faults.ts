import type { BacklogStore } from '../backlog/backlog.ts'
import type { NetworkStore } from '../network/network-store.ts'
import type { ProcessStore } from '../process/ports.ts'
import { rollOf } from '../process/process.ts'
import type { RunMacKeys } from '../reconciliation/run-mac.ts'
import type { RateSource } from '../quote/ports.ts'
import { gateFaults } from './gate-fault.ts'
import type { RestoreStore } from '../restore/ports.ts'
import type { Exposure } from '../report/exposure.ts'
import { ratesNow } from '../quote/rates-now.ts'
import {
  backlogFaults,
  exposureFaults,
  defaultFaultLimits,
  type Fault,
  type FaultLimits,
  lockFaults,
  networkFaults,
  processFaults,
  rateFaults,
  reconciliationFaults,
  tokenFaults,
} from './fault.ts'
import { checkSettings, type SettingsShape } from '../check-settings.ts'

/** The ports of `findFaults`. */
export type FindFaultsPorts = RunMacKeys & {
  readonly processes: Pick<ProcessStore, 'list'>
  readonly backlog: BacklogStore
  readonly networks: Pick<NetworkStore, 'read'>
  readonly restores: Pick<RestoreStore, 'gate'>
  readonly rates: RateSource
  /** `recentExposure`; left out: the exposure has no limit. */
  readonly exposure?: (() => Promise<Exposure>) | undefined
}

/** Finds what does not work now. @throws Unavailable when the store cannot be read */
export type FindFaults = () => Promise<readonly Fault[]>

const faultLimitsShape: SettingsShape<FaultLimits> = {
  processMissingSeconds: 'number',
  clockApartMs: 'number',
  ledgerUncheckedSeconds: 'number',
  scanBehindSeconds: 'number',
  depositsBehindSeconds: 'number',
  noticesBehindSeconds: 'number',
  reviewSeconds: 'number',
  reviewMicroUsdt: 'bigint',
  reconciledSeconds: 'number',
}

/**
 * Finds faults of the running service: halted payments, missing processes, clocks, checks and scans that have halted,
 * notices that wait, locks that are held, tokens that end, reconciliations, another QR network, sources of the rate, and the exposure. A row that records a problem is a difference or another
 * alert, and not a fault.
 *
 * @example
 * ```ts
 * const current = () => Promise.reject(new Unavailable('rate_source', 'no answer'))
 * const faults = await findFaults({ ...ports, rates: { current } })()
 * console.log(faults.at(-1)?.code) // RATE_UNAVAILABLE
 * ```
 */
export function findFaults(ports: FindFaultsPorts, limits: FaultLimits = defaultFaultLimits): FindFaults {
  checkSettings('findFaults', limits, faultLimitsShape)
  const { processes, backlog, networks, restores, rates, exposure } = ports
  return async () => {
    const roll = rollOf(await processes.list(), limits.processMissingSeconds)
    const gate = await restores.gate()
    const waiting = await backlog.read()
    const { report, problem } = await ratesNow(rates)
    return [
      ...gateFaults(gate),
      ...processFaults(roll, limits),
      ...backlogFaults(waiting, limits),
      ...lockFaults(waiting),
      ...tokenFaults(waiting),
      ...reconciliationFaults(waiting, limits, ports),
      ...networkFaults(await networks.read()),
      ...rateFaults(report, problem),
      ...(problem === null && exposure ? exposureFaults(await exposure()) : []),
    ]
  }
}
