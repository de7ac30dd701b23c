import { expect, test } from 'vitest'
import type { QrNetwork, QrRefused } from './qr-network.ts'
import { readInTime } from './read-in-time.ts'

const refused: QrRefused = { type: 'refused_qr', reason: 'expired' }

/** Reads a QR with a timer that ends when `expire` is called. */
function reading(readQr: QrNetwork['readQr']) {
  const { promise: done, resolve: expire } = Promise.withResolvers<void>()
  const waits: number[] = []
  const timer = (ms: number) => {
    waits.push(ms)
    return { done, cancel: () => undefined }
  }
  return { read: readInTime({ network: { readQr }, timer }, 'content', 250), expire, waits }
}

test('answers with the reading, and does not abort it', async () => {
  const signals: AbortSignal[] = []
  const { read, waits } = reading(async (content, signal) => {
    signals.push(signal)
    return { ...refused, reason: content }
  })
  expect(await read).toEqual({ type: 'refused_qr', reason: 'content' })
  expect(waits).toEqual([250])
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
})

test('aborts a reading that takes too long; its rejection is handled', async () => {
  const { read, expire } = reading(
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  )
  expire()
  await expect(read).rejects.toMatchObject({
    name: 'Unavailable',
    dependency: 'qr_network',
    message: expect.stringContaining('no reading within 250 ms') as unknown,
  })
})
