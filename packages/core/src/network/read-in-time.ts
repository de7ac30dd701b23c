import { type Timer, withTimeout } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { QrNetwork, QrRead, QrRefused } from './qr-network.ts'

/**
 * Reads a QR, or gives up after `ms`: whatever the network answers later is dropped.
 *
 * @throws Unavailable when the network cannot be asked or takes too long
 */
export async function readInTime(
  { network, timer }: { network: Pick<QrNetwork, 'readQr'>; timer: Timer },
  content: string,
  ms: number,
): Promise<QrRead | QrRefused> {
  const question = new AbortController()
  const reading = network.readQr(content, question.signal)
  const read = await withTimeout(timer, ms, reading)
  if (read) return read
  reading.catch(() => undefined) // It fails by our own signal, and nobody waits for it any more.
  question.abort()
  throw new Unavailable('qr_network', `no reading within ${ms} ms`)
}
