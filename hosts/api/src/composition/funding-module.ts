import { ensureTopUpAddress, reconcile, requestFaucet, rotateTopUpAddress } from '@quipu/core'
import {
  explainTransaction,
  manageOperatorTokens,
  manageProposals,
  readStatements,
  requestReconciliation,
  returnProblem,
  setLowBalanceThreshold,
} from '@quipu/core/operator'
import { encodeEvent } from '@quipu/wire'
import { ContainerModule } from 'inversify'
import type { ChainPorts, Faucet, Stores, System } from '../ports.ts'
import { faucetSettingsOf } from '../settings/faucet-settings.ts'
import { proposalSettingsOf } from '../settings/proposal-settings.ts'
import type { AppSettings } from '../settings/settings.ts'
import { APP_BASE, CHAIN, FUNDING } from './symbols.ts'
import { raiseAlertOf } from './raise-alert.ts'

const chain = 'tron'

export const fundingModule = (settings: AppSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(FUNDING).toResolvedValue(
      ({ stores, system }, { topUps, faucetChain, chainReader: reader, addressFormat: format }) => {
        const { addresses, wallets, scans } = stores
        const { now, ids } = system
        const topUpPorts = topUps && { addresses, ...topUps, now, raiseAlert: raiseAlertOf(system) }
        return {
          ensureTopUpAddress: topUpPorts && ensureTopUpAddress(topUpPorts, chain),
          rotateTopUpAddress: rotateTopUpAddress({ addresses, now }, chain),
          manageOperatorTokens: manageOperatorTokens({ ...stores, ids, now }, proposalSettingsOf(settings)),
          manageProposals: manageProposals({ ...stores, encodeEvent, ids, now }, proposalSettingsOf(settings)),
          explainTransaction: explainTransaction({ ...stores, reader }),
          returnProblem: returnProblem({ ...stores, reader, format }),
          statements: readStatements({ ...stores, now }),
          setLowBalanceThreshold: setLowBalanceThreshold({ wallets, encodeEvent, ids, now }),
          reconcile: reconcile({ wallets, scans, now }, chain),
          requestReconciliation: requestReconciliation(
            { ...stores, ids, now },
            { settleSeconds: settings.RECONCILIATION_SETTLE_SECONDS },
          ),
          faucet: faucetOf(settings, stores, system, faucetChain),
        }
      },
      [APP_BASE, CHAIN],
    )
  })

function faucetOf(
  settings: AppSettings,
  stores: Stores,
  system: System,
  faucetChain: ChainPorts['faucetChain'],
): Faucet | undefined {
  if (!faucetChain || settings.ENVIRONMENT === 'production') return undefined
  const { format, ...ports } = faucetChain
  return { format, request: requestFaucet({ ...stores, ...system, ...ports }, faucetSettingsOf(settings)) }
}
