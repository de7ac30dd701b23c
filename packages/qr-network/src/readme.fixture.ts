import type { QrRead, QrRefused } from '@quipu/core/adapter'
import { httpQrNetwork, networkCallbacks } from '@quipu/qr-network'

/** Who a QR pays, and how much; or why it cannot be paid. */
export async function readQr(
  server: { readonly url: string; readonly token: string },
  content: string,
): Promise<QrRead | QrRefused> {
  const network = httpQrNetwork(server) // one a process: it holds the connections
  try {
    return await network.readQr(content, AbortSignal.timeout(5_000))
  } finally {
    await network.stop()
  }
}

const callbacks = networkCallbacks({ secret: 'shared with the network' })

/** Whose status to ask for now; undefined when the callback is forged, or too old. */
export const referenceOf = (signature: string, body: Uint8Array): string | undefined =>
  callbacks.verify(signature, body, new Date())?.reference
