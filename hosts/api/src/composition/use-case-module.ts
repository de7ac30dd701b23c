import {
  authenticate,
  createPayout,
  createQuote,
  manageApiKeys,
  manageTenants,
  type PayoutSettings,
  type QrNetwork,
  type RateSource,
  resolveQr,
} from '@quipu/core'
import { logAlert } from '@quipu/runtime'
import { encodeEvent } from '@quipu/wire'
import { ContainerModule } from 'inversify'
import { answerMarginMs } from '../http/limit/deadline.ts'
import type { AppSettings } from '../settings/settings.ts'
import {
  AUTHENTICATE,
  CREATE_PAYOUT,
  CREATE_QUOTE,
  MANAGE_KEYS,
  MANAGE_TENANTS,
  NETWORK,
  RATES,
  RESOLVE_QR,
  type Stores,
  STORES,
  type System,
  SYSTEM,
} from '../ports.ts'

type Network = Pick<QrNetwork, 'readQr' | 'pay'>

/** What tenants do, over whatever is bound to the ports. */
export const payingModule = (settings: AppSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const paying = payoutSettings(settings)
    bind(CREATE_PAYOUT)
      .toResolvedValue(
        ({ payouts }: Stores, network: Network, system: System) => {
          const { now, monotonic, timer, ids, log, background } = system
          const outside = { raiseAlert: logAlert(log), inBackground: background.run, encodeEvent }
          return createPayout({ payouts, network, now, monotonic, timer, ids, ...outside }, paying)
        },
        [STORES, NETWORK, SYSTEM],
      )
      .inSingletonScope()
    bind(RESOLVE_QR)
      .toResolvedValue(
        ({ resolutions }: Stores, network: Network, { now, timer, ids }: System) =>
          resolveQr({ resolutions, network, now, timer, ids }, paying),
        [STORES, NETWORK, SYSTEM],
      )
      .inSingletonScope()
    bind(CREATE_QUOTE)
      .toResolvedValue(
        ({ quotes, resolutions }: Stores, rates: RateSource, { ids, now }: System) => {
          const lifeSeconds = settings.QUOTE_LIFE_SECONDS
          return createQuote({ quotes, resolutions, rates, ids, now }, { lifeSeconds })
        },
        [STORES, RATES, SYSTEM],
      )
      .inSingletonScope()
  })

/** Who may do it, and what operators do. */
export const tenancyModule = ({ ENVIRONMENT }: AppSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const kind = ENVIRONMENT === 'production' ? 'live' : 'test'
    bind(AUTHENTICATE)
      .toResolvedValue(
        ({ apiKeys }: Stores, { now, background }: System) =>
          authenticate({ apiKeys, now, inBackground: background.run }, kind),
        [STORES, SYSTEM],
      )
      .inSingletonScope()
    bind(MANAGE_TENANTS)
      .toResolvedValue(
        ({ tenants }: Stores, { ids, now }: System) => manageTenants({ tenants, ids, now }),
        [STORES, SYSTEM],
      )
      .inSingletonScope()
    bind(MANAGE_KEYS)
      .toResolvedValue(
        ({ tenants, apiKeys }: Stores, { ids, now, random }: System) =>
          manageApiKeys({ tenants, apiKeys, ids, now, random }, kind),
        [STORES, SYSTEM],
      )
      .inSingletonScope()
  })

const payoutSettings = (settings: AppSettings): PayoutSettings => ({
  environment: settings.ENVIRONMENT,
  answerWithinMs: settings.ANSWER_WITHIN_MS - answerMarginMs(settings.ANSWER_WITHIN_MS),
  leaseSeconds: settings.LEASE_SECONDS,
  renewEveryMs: Math.floor((settings.LEASE_SECONDS * 1000) / 3),
  resolutionFreshSeconds: settings.RESOLUTION_FRESH_SECONDS,
  defaultDescription: settings.DEFAULT_DESCRIPTION,
})
