import type { Stores } from '@quipu/core'
import { earnsNothing } from '@quipu/core/operator'
import { type Finding, ok, warn } from './finding.ts'
import type { ReadSettings } from './read-settings.ts'

/** Shown by name; the others are counted. */
const namedMax = 5

/**
 * Whether each active tenant earns something, and has a daily limit where the network is OpenHub, which nobody has tried
 * against ATC.
 */
export async function checkTenants(
  tenants: Pick<Stores['tenants'], 'list'>,
  { QR_NETWORK }: Pick<ReadSettings, 'QR_NETWORK'>,
): Promise<readonly Finding[]> {
  const [free, unlimited]: [string[], string[]] = [[], []]
  let after: Awaited<ReturnType<typeof tenants.list>>['next'] = null
  do {
    const page = await tenants.list({ limit: 100, ...(after && { after }) })
    for (const { id, status, pricing, dailyLimits } of page.items) {
      if (status !== 'active') continue
      if (earnsNothing(pricing)) free.push(id)
      if (dailyLimits.amount === null && dailyLimits.count === null) unlimited.push(id)
    }
    after = page.next
  } while (after !== null)
  return [
    free.length === 0
      ? ok('tenants.pricing', 'every active tenant has a margin or a fee')
      : warn(
          'tenants.pricing',
          `active tenants whose margin and fees are zero: ${namesOf(free)}`,
          'quipu-admin tenants update <id> --margin-bps …: docs/operations/tenants.md, “Prices”.',
        ),
    ...(QR_NETWORK === 'openhub' ? [limitsFinding(unlimited)] : []),
  ]
}

const limitsFinding = (unlimited: readonly string[]): Finding =>
  unlimited.length === 0
    ? ok('network.limits', 'every active tenant has a daily limit')
    : warn(
        'network.limits',
        `active tenants without a daily limit: ${namesOf(unlimited)}`,
        'quipu-admin tenants update <id> --daily-limit-usdt …: docs/guides/openhub.md.',
      )

function namesOf(ids: readonly string[]): string {
  const others = ids.length - namedMax
  return `${ids.slice(0, namedMax).join(', ')}${others > 0 ? ` and ${others} more` : ''}`
}
