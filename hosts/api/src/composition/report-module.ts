import { forecastDays, readExposure, readReports, readTrialBalance, recentExposure } from '@quipu/core/operator'
import { ContainerModule } from 'inversify'
import type { AppSettings } from '../settings/settings.ts'
import { EXPOSURE, RATES, REPORTING, STORES, SWEEPING, SYSTEM } from './symbols.ts'

const dayMs = 86_400_000

export const reportModule = (settings: AppSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { EXPOSURE_LIMIT_USDT: limit, NETWORK_LIQUIDITY_FLOOR_BOB: floor } = settings
    bind(EXPOSURE).toResolvedValue(
      ({ reports }, rates, { now, inBackground }) => {
        const read = readExposure({ reports, rates, now, limit: limit ?? null })
        return { read, recent: limit && recentExposure({ read, now, inBackground }) }
      },
      [STORES, RATES, SYSTEM],
    )
    bind(REPORTING).toResolvedValue(
      ({ reports, treasury }, sweeping, { read }, { now, ids }) => ({
        treasury,
        ids,
        reports: readReports({ reports, now }),
        trialBalance: readTrialBalance({ reports, treasury: async () => sweeping?.treasuryBalance(), now }),
        exposure: read,
        liquidity: () => reports.liquidity(new Date(now().getTime() - forecastDays * dayMs)),
        floor: typeof floor === 'object' ? floor : null,
      }),
      [STORES, SWEEPING, EXPOSURE, SYSTEM],
    )
  })
