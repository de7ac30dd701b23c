import type { QrRead, QrRefused } from '@quipu/core/adapter'
import { httpQrNetwork, networkCallbacks } from '@quipu/qr-network'

/** Merchant and amount, or why it is refused. */
export async function readQr(
  server: { readonly url: string; readonly token: string },
  content: string,
): Promise<QrRead | QrRefused> {
  const network = httpQrNetwork(server) // one per process
  try {
    return await network.readQr(content, AbortSignal.timeout(5_000))
  } finally {
    await network.stop()
  }
}

const callbacks = networkCallbacks({ secret: 'shared with the network' })

/** The payout whose status to read now; undefined if forged or too old. */
export const referenceOf = (signature: string, body: Uint8Array): string | undefined =>
  callbacks.verify(signature, body, new Date())?.reference
