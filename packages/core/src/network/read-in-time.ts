import { type Timer, withTimeout } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { QrNetwork, QrRead, QrRefused } from './qr-network.ts'

/**
 * Reads a QR with a timeout of `ms`; a later answer is dropped.
 *
 * @throws Unavailable when the network cannot be reached or the timeout passes
 */
export async function readInTime(
  { network, timer }: { network: Pick<QrNetwork, 'readQr'>; timer: Timer },
  content: string,
  ms: number,
): Promise<QrRead | QrRefused> {
  const call = new AbortController()
  const reading = network.readQr(content, call.signal)
  const read = await withTimeout(timer, ms, reading)
  if (read) return read
  call.abort() // Rejects `reading`; `withTimeout` has handled that.
  throw new Unavailable('qr_network', `no reading within ${ms} ms`)
}
