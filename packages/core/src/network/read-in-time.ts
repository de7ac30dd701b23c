import { type Timer, withTimeout } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { QrNetwork, QrRead, QrRefused } from './qr-network.ts'

/**
 * Reads a QR with a timeout of `ms`; a later answer is dropped.
 *
 * @throws Unavailable when the network cannot be reached or the timeout passes
 * @throws TypeError when the port answers something else than a reading
 */
export async function readInTime(
  { network, timer }: { network: Pick<QrNetwork, 'readQr'>; timer: Timer },
  content: string,
  ms: number,
): Promise<QrRead | QrRefused> {
  const call = new AbortController()
  const reading = network.readQr(content, call.signal)
  const read = await withTimeout(
    timer,
    ms,
    reading.then((answer) => ({ answer: expectReading(answer) })),
  )
  if (read) return read.answer
  call.abort() // Rejects `reading`; `withTimeout` has handled that.
  throw new Unavailable('qr_network', `no reading within ${ms} ms`)
}

/** A port without a compiler can answer anything, and payments depend on the reading. */
function expectReading(answer: QrRead | QrRefused | undefined): QrRead | QrRefused {
  if (answer?.type === 'read' || answer?.type === 'refused_qr') return answer
  throw new TypeError(
    `readQr answered ${answer === undefined ? 'undefined' : JSON.stringify(answer)}; answer { type: 'read', … } or { type: 'refused_qr', reason }`,
  )
}
