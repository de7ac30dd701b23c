import {
  ensureTopUpAddress,
  reconcile,
  requestFaucet,
  reviewDeposits,
  rotateTopUpAddress,
} from '@quipu/core'
import { logAlert } from '@quipu/runtime'
import { encodeEvent } from '@quipu/wire'
import { ContainerModule } from 'inversify'
import type { Figures } from '../metrics/api-metrics.ts'
import { faucetRules } from '../settings/funding-settings.ts'
import type { AppSettings } from '../settings/settings.ts'
import {
  ENSURE_TOP_UP,
  FAUCET,
  FAUCET_CHAIN,
  type FaucetChain,
  FIGURES,
  RECONCILE,
  REVIEW_DEPOSITS,
  ROTATE_TOP_UP,
  type Stores,
  STORES,
  type System,
  SYSTEM,
  TOP_UPS,
  type TopUps,
} from '../ports.ts'

/** How wallets are funded, over whatever is bound to the ports. */
export const fundingModule = (): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(ENSURE_TOP_UP)
      .toResolvedValue(
        ({ addresses }: Stores, { now, log }: System, topUps: TopUps | undefined) =>
          topUps &&
          ensureTopUpAddress({ addresses, ...topUps, now, raiseAlert: logAlert(log) }, 'tron'),
        [STORES, SYSTEM, TOP_UPS],
      )
      .inSingletonScope()
    bind(ROTATE_TOP_UP)
      .toResolvedValue(
        ({ addresses }: Stores, { now }: System) => rotateTopUpAddress({ addresses, now }, 'tron'),
        [STORES, SYSTEM],
      )
      .inSingletonScope()
    bind(REVIEW_DEPOSITS)
      .toResolvedValue(
        ({ deposits }: Stores, { ids, now }: System) =>
          reviewDeposits({ deposits, encodeEvent, ids, now }),
        [STORES, SYSTEM],
      )
      .inSingletonScope()
    bind(RECONCILE)
      .toResolvedValue(
        ({ wallets, scans }: Stores, { now }: System, { drift }: Figures) => {
          const books = reconcile({ wallets, scans, now }, 'tron')
          return async (tenantId: string) => {
            const found = await books(tenantId)
            if (found) drift(tenantId, found.drift)
            return found
          }
        },
        [STORES, SYSTEM, FIGURES],
      )
      .inSingletonScope()
  })

/** Test tokens, where there are any to give. */
export const faucetModule = (settings: AppSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(FAUCET)
      .toResolvedValue(
        (stores: Stores, system: System, chain: FaucetChain | undefined) => {
          if (!chain || settings.ENVIRONMENT === 'production') return undefined
          const { format, ...ports } = chain
          return {
            format,
            request: requestFaucet({ ...stores, ...system, ...ports }, faucetRules(settings)),
          }
        },
        [STORES, SYSTEM, FAUCET_CHAIN],
      )
      .inSingletonScope()
  })
