import { toDecimal } from '@quipu/core'
import { systemClock, systemMonotonic } from '@quipu/core/system'
import { openHub } from '@quipu/openhub'
import { httpQrNetwork } from '@quipu/qr-network'
import { type NetworkChoice, networkChoice } from '@quipu/runtime'
import { failing, type Finding, ok, warn } from './finding.ts'
import type { ReadSettings } from './read-settings.ts'

const mends = {
  http: 'Check QR_NETWORK_URL and QR_NETWORK_TOKEN, and the network’s status.',
  openhub: 'Check OPENHUB_URL, the client, OPENHUB_NIT and OPENHUB_SOURCE_ACCOUNT, and the account’s state at ATC.',
} as const

const networkOf = ({ type, options }: NetworkChoice) =>
  type === 'http'
    ? httpQrNetwork({ ...options, statusTimeoutMs: 10_000 })
    : openHub({ ...options, now: systemClock, monotonic: systemMonotonic, accountsTimeoutMs: 10_000 })

/** Whether the QR network answers and accepts the token, and what it can still pay. */
export async function checkNetwork(settings: ReadSettings): Promise<readonly Finding[]> {
  const check = 'network'
  const choice = networkChoice(settings)
  if (!choice) return [] // The settings' finding names what is missing.
  const network = networkOf(choice)
  try {
    return await failing(check, mends[choice.type], async () => {
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
