import { importSweep, planSweep } from '@quipu/core/operator'
import { logAlert } from '@quipu/runtime'
import { ContainerModule } from 'inversify'
import type { Stores, SweepChainPorts, Sweeping, System } from '../ports.ts'
import { APP_BASE, CHAIN, SWEEPING } from './symbols.ts'

export const sweepModule = (): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(SWEEPING).toResolvedValue(
      ({ stores, system }, { sweepChain }) => sweepChain && sweepingOf(stores, system, sweepChain),
      [APP_BASE, CHAIN],
    )
  })

function sweepingOf(
  { sweeps, addresses }: Stores,
  { ids, now, log }: System,
  { chain, reader, addressSource, settings, ...facts }: SweepChainPorts,
): Sweeping {
  const ports = { sweeps, addresses, chain, reader, addressSource, ids, now, raiseAlert: logAlert(log) }
  return {
    ...facts,
    chain: reader.chain,
    tokenBalances: chain.tokenBalances,
    plan: planSweep(ports, settings),
    importSigned: importSweep(ports),
  }
}
