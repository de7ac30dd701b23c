import { once } from 'node:events'
import { expect, test } from 'vitest'
import { keyAt, request, type TestKey } from './example.fixture.ts'
import { runExample, startProcess } from './process.fixture.ts'

test('reports a port in use, with advice', async () => {
  const first = await startProcess()
  const child = runExample({ PORT: new URL(first.url).port })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))

  const [code] = await once(child, 'close')
  expect(await first.stop()).toBe(0)

  expect(code).toBe(1)
  expect(output).toContain(`address already in use 127.0.0.1:${new URL(first.url).port}`)
  expect(output).toContain('PORT=4012 npx -y pnpm@12 example')
  expect(output).not.toContain('    at ')
})

test('three thousand keys, each with a wallet and a payment, take at most 15 kB each', async () => {
  // 40 MB for the program and 45 MB for the keys: it ends where they do not fit, however late garbage is collected.
  const { url, stop } = await startProcess({ NODE_OPTIONS: '--max-old-space-size=85' })
  const count = 3_000
  /** Of all keys, 16 concurrently. */
  const ofEach = async (act: (key: TestKey) => Promise<string>): Promise<readonly string[]> => {
    const found: string[] = []
    let next = 0
    const work = async (): Promise<void> => {
      while (next < count)
        found.push(await act(keyAt((method, path, send) => request(url + path, method, send), `qpu_mock_${next++}`)))
    }
    await Promise.all(Array.from({ length: 16 }, work))
    return found
  }

  const statuses = await ofEach(async (key) => (await key.pay('MOCK:OPEN')).json.status)
  expect(statuses).toEqual(Array(count).fill('completed'))
  expect(await ofEach((key) => key.available())).toEqual(Array(count).fill('989.796647'))
  expect(await stop()).toBe(0)
})
