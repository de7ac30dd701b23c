import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { forEachKey, runExample, startProcess } from './process.fixture.ts'

/** How long a Node takes that does nothing, just now. */
async function bareNodeMs(): Promise<number> {
  const startedAt = performance.now()
  await once(spawn(process.execPath, ['-e', '0']), 'close')
  return performance.now() - startedAt
}

// Seconds are the machine's. Where a bare Node is up in 40 ms, 50 times that are 2 seconds.
test(
  'starts without a database within the time of 50 bare Nodes, and stops on a signal',
  { tags: 'long' },
  async () => {
    // On a busy machine the bare Node may have had a processor to itself: one fair pair is enough.
    let least = Infinity
    for (let times = 0; times < 10 && least >= 50; times++) {
      const bareMs = await bareNodeMs()
      const example = await startProcess()
      least = Math.min(least, example.startedMs / bareMs)
      expect(await example.stop()).toBe(0)
    }
    expect(least).toBeLessThan(50)
  },
)

test('reports a port in use, with advice', async () => {
  const first = await startProcess()
  const child = runExample({ PORT: new URL(first.url).port })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))

  const [code] = await once(child, 'close')
  await first.stop()

  expect(code).toBe(1)
  expect(output).toContain(`address already in use 127.0.0.1:${new URL(first.url).port}`)
  expect(output).toContain('PORT=4012 npx -y pnpm@12 example')
  expect(output).not.toContain('    at ')
})

test('three thousand keys, each with a wallet and a payment, take at most 15 kB each', async () => {
  // 40 MB for the program and 45 MB for the keys: it ends where they do not fit, however late garbage is collected.
  const example = await startProcess({ NODE_OPTIONS: '--max-old-space-size=85' })
  const target = { currency: 'BOB', amount: '100.00' }
  const qr = { content: 'MOCK:OPEN' }
  let completed = 0

  await forEachKey(example.url, 3_000, async (ask) => {
    const { id } = await ask('POST', '/v1/quotes', { target })
    const order = { transaction_id: 'a', type: 'qr', quote_id: id, qr }
    const { status } = await ask('POST', '/v1/payouts', order)
    if (status === 'completed') completed++
  })

  expect(completed).toBe(3_000)
  let remembered = 0
  await forEachKey(example.url, 3_000, async (ask) => {
    const { data } = await ask('GET', '/v1/wallets/transactions?limit=1')
    if (data[0]?.balance_after === '989.796647') remembered++
  })
  expect(remembered).toBe(3_000)
  expect(await example.stop()).toBe(0)
})
