import { Unavailable, usdt } from '@quipu/core'
import { importSweep, planSweep } from '@quipu/core/operator'
import { ContainerModule } from 'inversify'
import type { Stores, SweepChainPorts, Sweeping, System } from '../ports.ts'
import { APP_BASE, CHAIN, SWEEPING } from './symbols.ts'
import { raiseAlertOf } from './raise-alert.ts'

export const sweepModule = (): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(SWEEPING).toResolvedValue(
      ({ stores, system }, { sweepChain }) => sweepChain && sweepingOf(stores, system, sweepChain),
      [APP_BASE, CHAIN],
    )
  })

function sweepingOf(
  { sweeps, addresses }: Stores,
  { ids, now, ...system }: System,
  { chain, reader, addressSource, settings, ...facts }: SweepChainPorts,
): Sweeping {
  const ports = { sweeps, addresses, chain, reader, addressSource, ids, now, raiseAlert: raiseAlertOf(system) }
  return {
    ...facts,
    chain: reader.chain,
    tokenBalances: chain.tokenBalances,
    treasuryBalance: async () => {
      const { account } = settings.treasury
      const read = await chain.tokenBalances([account]).catch(whenUnavailable)
      const minor = read?.balances.get(account)
      return minor === undefined ? undefined : { amount: usdt(minor), at: now() }
    },
    plan: planSweep(ports, settings),
    importSigned: importSweep(ports),
  }
}

function whenUnavailable(error: unknown): undefined {
  if (!(error instanceof Unavailable)) throw error
}
