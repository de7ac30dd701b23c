import type { DifferenceStore } from '../difference/ports.ts'
import { type Ids } from '../ids.ts'
import { type Bob, bobShape, toDecimal } from '../money.ts'
import type { QrNetwork } from '../network/qr-network.ts'
import type { ReportStore } from '../report/ports.ts'
import type { Clock } from '../time.ts'
import { checkSettings } from '../check-settings.ts'

/** The ports of `checkLiquidity`. */
export type CheckLiquidityPorts = {
  readonly network: Pick<QrNetwork, 'liquidity'>
  readonly differences: Pick<DifferenceStore, 'record' | 'resolveUnseen'>
  /** Keeps each reading, for forecasts and the exposure. */
  readonly reports: Pick<ReportStore, 'recordLiquidity'>
  readonly ids: Ids
  readonly now: Clock
}

/** The network's liquidity against the floor. */
export type LiquidityReading = { readonly available: Bob; readonly isLow: boolean }

const run = { check: 'liquidity', scope: '' } as const

/**
 * Compares the BOB that the network can still pay out with a floor. Below it there is one open difference,
 * which is gone once the network has enough again.
 *
 * @throws Unavailable when the network or the database cannot be read
 * @example
 * ```ts
 * const check = checkLiquidity(ports, bob(50_000_00n))
 * const { isLow } = await check()
 * console.log(isLow) // false
 * ```
 */
export function checkLiquidity(ports: CheckLiquidityPorts, floor: Bob): () => Promise<LiquidityReading> {
  checkSettings('checkLiquidity', { floor }, { floor: bobShape })
  const { network, differences, reports, ids, now } = ports
  return async () => {
    const { available } = await network.liquidity()
    const at = now()
    await reports.recordLiquidity({ available, at })
    const isLow = available.minor < floor.minor
    if (!isLow) await differences.resolveUnseen(run, at)
    else {
      const detail = `the network can pay out ${toDecimal(available)} BOB, below the floor of ${toDecimal(floor)} BOB; top up the account at the network`
      const about = { tenantId: null, kind: 'below_floor', subject: 'network' } as const
      const amounts = { expected: floor, found: available }
      await differences.record([{ ...run, ...about, ...amounts, detail, id: ids.next('dif', at) }], at)
    }
    return { available, isLow }
  }
}
