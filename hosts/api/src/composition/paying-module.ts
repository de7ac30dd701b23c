import { createPayout, createQuote, guardedNetwork, networkGuard, type PayoutSettings, resolveQr } from '@quipu/core'
import {
  confirmNetwork,
  hintPayout,
  ratesWithinExposure,
  manageQuoting,
  operatePayouts,
  stopPayouts,
} from '@quipu/core/operator'
import { leaseTimes } from '@quipu/runtime'
import { encodeEvent } from '@quipu/wire'
import { ContainerModule } from 'inversify'
import { guardedPayouts } from '../fault/market-guard.ts'
import { answerMarginMs } from '../http/deadline.ts'
import { proposalSettingsOf } from '../settings/proposal-settings.ts'
import type { AppSettings } from '../settings/settings.ts'
import { measuredQuotes } from '../metrics/measured-quotes.ts'
import { raiseAlertOf } from './raise-alert.ts'
import { losingAnswers, shortQuotes } from './sandbox-scenarios.ts'
import { EXPOSURE, METRICS, NETWORK, PAYING, RATES, SCREEN, STORES, SYSTEM } from './symbols.ts'

export const payingModule = (settings: AppSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(PAYING).toResolvedValue(
      (stores, { network: adapter, sandboxQrs, callbacks }, rates, system, metrics, { recent }, screen) => {
        const { payouts, quotes, quoting, resolutions, networks } = stores
        const isSandbox = settings.ENVIRONMENT === 'sandbox'
        const lifeOfQuotes = settings.QUOTE_LIFE_SECONDS
        const { now, monotonic, timer, ids, inBackground } = system
        const { approvableSeconds } = proposalSettingsOf(settings)
        const paying = payoutSettings(settings)
        const raiseAlert = raiseAlertOf(system)
        const guard = networkGuard({ networks, network: adapter, monotonic })
        const network = guardedNetwork(adapter, guard)
        const screening = screen && { screen }
        const settling = { differences: stores.differences, network, encodeEvent, raiseAlert, ids, now, monotonic }
        const create = createPayout(
          { ...settling, ...screening, payouts: guardedPayouts(payouts, rates, raiseAlert), timer, inBackground },
          paying,
        )
        return {
          sandboxQrs,
          callbacks,
          resolveQr: resolveQr({ resolutions, network, now, timer, ids, ...screening }, paying),
          createQuote: measuredQuotes(
            metrics,
            createQuote(
              { quotes, resolutions, rates: recent ? ratesWithinExposure(rates, recent) : rates, ids, now },
              isSandbox ? shortQuotes(lifeOfQuotes) : { lifeSeconds: lifeOfQuotes },
            ),
          ),
          manageQuoting: manageQuoting({ quoting, rates, now }),
          stopPayouts: stopPayouts({ ...stores, ids, now }, { approvableSeconds }),
          createPayout: isSandbox ? losingAnswers(create) : create,
          confirmNetwork: confirmNetwork({ networks, now }),
          configuredNetwork: adapter,
          hintPayout: hintPayout({ ...stores, ...settling }),
          operatePayouts: operatePayouts(
            { ...stores, ...settling },
            { leaseSeconds: settings.REQUEST_LEASE_SECONDS, catchUpPerSecond: settings.NETWORK_CATCH_UP_PER_SECOND },
          ),
        }
      },
      [STORES, NETWORK, RATES, SYSTEM, METRICS, EXPOSURE, SCREEN],
    )
  })

/** The settings of payout requests. */
const payoutSettings = (settings: AppSettings): PayoutSettings => ({
  environment: settings.ENVIRONMENT,
  answerWithinMs: settings.ANSWER_WITHIN_MS - answerMarginMs(settings.ANSWER_WITHIN_MS),
  leaseSeconds: settings.REQUEST_LEASE_SECONDS,
  renewEveryMs: leaseTimes(settings.REQUEST_LEASE_SECONDS).renewEveryMs,
  resolutionFreshSeconds: settings.RESOLUTION_FRESH_SECONDS,
  defaultDescription: settings.DEFAULT_DESCRIPTION,
})
