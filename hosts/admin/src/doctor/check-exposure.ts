import { rateSource } from '@quipu/api/settings'
import { toDecimal } from '@quipu/core'
import { readExposure } from '@quipu/core/operator'
import { systemClock } from '@quipu/core/system'
import { postgresStores } from '@quipu/postgres'
import { fail, failing, type Finding, ok } from './finding.ts'
import type { ReadSettings } from './read-settings.ts'

/** The exposure against its limit, where one is set. */
export async function checkExposure(settings: ReadSettings): Promise<readonly Finding[]> {
  const { DATABASE_URL: url, RATE_SOURCE, EXPOSURE_LIMIT_USDT: limit } = settings
  if (url === undefined || RATE_SOURCE === undefined || limit === undefined) return []
  return failing('exposure', 'See the findings about the database and the rates.', async () => {
    const { reports, close } = postgresStores({ url })
    try {
      const rates = rateSource({ RATE_BID: undefined, ...settings, RATE_SOURCE }, systemClock)
      const { exposure, isAbove } = await readExposure({ reports, rates, now: systemClock, limit })()
      const detail = `${toDecimal(exposure)} USDT of ${toDecimal(limit)} USDT`
      return isAbove
        ? [fail('exposure', detail, 'Quotes are refused: docs/operations/alerts.md#exposure_above_limit.')]
        : [ok('exposure', detail)]
    } finally {
      await close()
    }
  })
}
