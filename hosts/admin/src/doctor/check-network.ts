import { toDecimal } from '@quipu/core'
import { httpQrNetwork } from '@quipu/qr-network'
import { failing, type Finding, ok, warn } from './finding.ts'
import type { ReadSettings } from './read-settings.ts'

/** Whether the QR network answers and accepts the token, and what it can still pay. */
export async function checkNetwork(settings: ReadSettings): Promise<readonly Finding[]> {
  const check = 'network'
  const { QR_NETWORK_URL: url, QR_NETWORK_TOKEN: token } = settings
  if (url === undefined || token === undefined) return [] // The settings' finding names them.
  const network = httpQrNetwork({ url, token, statusTimeoutMs: 10_000 })
  try {
    return await failing(check, 'Check QR_NETWORK_URL and QR_NETWORK_TOKEN, and the network’s status.', async () => {
      const { available } = await network.liquidity()
      const detail = `answers; liquidity ${toDecimal(available)} BOB`
      return available.minor > 0n
        ? [ok(check, detail)]
        : [warn(check, detail, 'Fund the account at the network: every payout ends INSUFFICIENT_FUNDS.')]
    })
  } finally {
    await network.stop()
  }
}
