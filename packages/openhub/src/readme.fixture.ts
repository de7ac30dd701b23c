import { systemPorts } from '@quipu/core/system'
import { openHub } from '@quipu/openhub'

const { now, monotonic } = systemPorts()

/** The bolivianos that the account can pay. */
export async function available(gateway: {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly nit: string
  readonly sourceAccount: string
}): Promise<bigint> {
  const { url, clientId, clientSecret, nit, sourceAccount } = gateway
  const network = openHub({ url, credentials: { clientId, clientSecret }, nit, sourceAccount, now, monotonic }) // one per process
  try {
    return (await network.liquidity()).available.minor
  } finally {
    await network.stop()
  }
}
