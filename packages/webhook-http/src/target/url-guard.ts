import { isIP } from 'node:net'
import type { WebhookUrlGuard } from '@quipu/core'
import { isPublicAddress } from './public-address.ts'
import { publicNames, type ResolveName } from './resolve-name.ts'
import { hostOf, parseWebhookUrl } from './webhook-url.ts'

/** Which URLs `webhookUrlGuard` lets a tenant register. */
export type WebhookUrlGuardSettings = {
  /** Allows http, any port and any address, for development and tests. */
  readonly allowPrivate?: boolean
  readonly resolve?: ResolveName
  /** A name whose lookup takes longer is accepted. 2,000 by default. */
  readonly lookupMs?: number
}

/**
 * Checks URLs at their registration. The sender checks the address of each connection again, since a name
 * can resolve to another address later.
 */
export function webhookUrlGuard({
  allowPrivate = false,
  resolve = publicNames(),
  lookupMs = 2_000,
}: WebhookUrlGuardSettings = {}): WebhookUrlGuard {
  return {
    async check(text) {
      const url = parseWebhookUrl(text, allowPrivate)
      if (typeof url === 'string') return url
      const host = hostOf(url)
      if (allowPrivate || isIP(host) !== 0) return null
      const addresses = await addressesWithin(lookupMs, resolve(host))
      return addresses.every(isPublicAddress) ? null : 'must not lead to a private or reserved address'
    },
  }
}

/** Resolves to none when the lookup fails or takes too long. */
function addressesWithin(ms: number, lookup: Promise<readonly string[]>): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve([]), ms)
    const finish = (addresses: readonly string[]): void => {
      clearTimeout(timer)
      resolve(addresses)
    }
    lookup.then(finish, () => finish([]))
  })
}
