import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { checkClocks } from './check-clocks.ts'

/** A provider whose clock is this many seconds ahead. Without a number it sends no `Date`. */
async function provider(aheadSeconds?: number): Promise<string> {
  const server = createServer((_, res) => {
    if (aheadSeconds === undefined) res.sendDate = false
    else res.setHeader('date', new Date(Date.now() + aheadSeconds * 1000).toUTCString())
    res.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  [0, 'ok', /agrees with the Date of TRON_NODE_URL|is 1 s/],
  [-60, 'fail', /this machine's clock is (59|60|61) s ahead of the Date of TRON_NODE_URL/],
  [60, 'fail', /this machine's clock is (59|60|61) s behind the Date of TRON_NODE_URL/],
  [5, 'warn', /this machine's clock is [456] s behind/],
])('a provider whose clock is %d s ahead is %s', async (ahead, status, detail) => {
  const [finding] = await checkClocks({ TRON_NODE_URL: await provider(ahead) })
  expect(finding).toMatchObject({ check: 'clock.node', status })
  expect(finding?.detail).toMatch(detail)
})

test('each party has a finding of its own, so that the wrong one is visible', async () => {
  const [right, wrong] = [await provider(0), await provider(60)]
  const settings = { TRON_NODE_URL: right, TRON_VERIFIER_URL: wrong, QR_NETWORK_URL: right }
  const findings = await checkClocks(settings)
  expect(findings.map(({ check, status }) => `${check} ${status}`)).toEqual([
    'clock.node ok',
    'clock.verifier fail',
    'clock.network ok',
  ])
})

test('a party that does not answer, or without a Date, has none', async () => {
  const settings = { TRON_NODE_URL: 'http://127.0.0.1:1', QR_NETWORK_URL: await provider() }
  expect(await checkClocks(settings)).toEqual([])
})
