import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ExampleServer, packClient, runGuide, startExampleServer } from './five-minutes.fixture.ts'

const opened = new AsyncDisposableStack()
let server: ExampleServer
let CLIENT: string
beforeAll(async () => {
  server = opened.use(await startExampleServer())
  CLIENT = await packClient(opened)
})
afterAll(() => opened.disposeAsync())

/** The outputs of the blocks below a heading, within five minutes from an empty folder. */
async function printedBy(heading: string): Promise<readonly string[]> {
  const steps = await runGuide(heading, { CLIENT, QUIPU_API_URL: server.url })
  expect(steps.reduce((sum, { seconds }) => sum + seconds, server.seconds)).toBeLessThan(300)
  return steps.map(({ printed }) => printed)
}

test('a QR is paid and a webhook is verified with the client', async () => {
  expect(await printedBy('With the client')).toEqual([
    expect.stringContaining('added 1 package'),
    expect.stringMatching(/available +1000\.000000 USDT/),
    'Comercio de Ejemplo: completed, 10.203353 USDT\n',
    'verified payout.completed order-1\n',
  ])
})

test('a QR is paid and a webhook is verified by plain HTTP', async () => {
  const tested = expect.stringContaining('"delivered":true')
  expect(await printedBy('By plain HTTP')).toEqual(['completed\n989.796647\n', tested, 'verified\n'])
})
