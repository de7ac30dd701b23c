import type { Stores } from '@quipu/core'
import { type Finding, ok, warn } from './finding.ts'
import type { ReadSettings } from './read-settings.ts'

/** Shown by name; the others are counted. */
const namedMax = 5

/** Whether each active tenant has a daily limit, where the network is OpenHub, which nobody has tried against ATC. */
export async function checkLimits(
  tenants: Pick<Stores['tenants'], 'list'>,
  { QR_NETWORK }: Pick<ReadSettings, 'QR_NETWORK'>,
): Promise<readonly Finding[]> {
  if (QR_NETWORK !== 'openhub') return []
  const check = 'network.limits'
  const unlimited: string[] = []
  let after: Awaited<ReturnType<typeof tenants.list>>['next'] = null
  do {
    const page = await tenants.list({ limit: 100, ...(after && { after }) })
    for (const { id, status, dailyLimits } of page.items)
      if (status === 'active' && dailyLimits.amount === null && dailyLimits.count === null) unlimited.push(id)
    after = page.next
  } while (after !== null)
  if (unlimited.length === 0) return [ok(check, 'every active tenant has a daily limit')]
  const others = unlimited.length - namedMax
  const names = `${unlimited.slice(0, namedMax).join(', ')}${others > 0 ? ` and ${others} more` : ''}`
  return [
    warn(
      check,
      `active tenants without a daily limit: ${names}`,
      'quipu-admin tenants update <id> --daily-limit-usdt …: docs/guides/openhub.md.',
    ),
  ]
}
