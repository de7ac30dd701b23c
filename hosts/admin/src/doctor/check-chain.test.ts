import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tronAddressFormat } from '@quipu/tron'
import { expect, onTestFinished, test } from 'vitest'
import { checkProviders } from './check-chain.ts'

const genesis = '00'.repeat(32)
const header = { blockID: genesis, block_header: { raw_data: { parentHash: '00'.repeat(32), timestamp: 1 } } }

/** A port of java-tron, which has the first block below its prefix and answers 405 with HTML elsewhere. */
async function port(prefix: 'wallet' | 'walletsolidity', status = 405): Promise<string> {
  const server = createServer(({ url }, response) => {
    if (url === `/${prefix}/getblock`) response.end(JSON.stringify(header))
    else response.writeHead(status, { 'content-type': 'text/html' }).end('<html></html>')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const findings = async (urls: Record<string, string>) =>
  (
    await checkProviders({
      TRON_TOKEN_CONTRACT: tronAddressFormat.format('ab'.repeat(20)),
      TRON_GENESIS_BLOCK: genesis,
      TRON_XPUB: 'xpub',
      ADDRESS_MAC_KEY: [{ id: '1', key: new Uint8Array(32) }],
      TRON_NODE_URL: '',
      ...urls,
    })
  ).map(({ check, status, detail, mend }) => ({ check, status, detail, mend }))

test.each([404, 405])('a full node without a solidity node (%d) has a hint which setting', async (status) => {
  const [node] = await findings({ TRON_NODE_URL: await port('wallet', status) })
  expect(node).toMatchObject({ check: 'chain.node', status: 'fail' })
  expect(node?.detail).toContain(
    `walletsolidity/getblock: status ${status}: this URL serves no walletsolidity/ endpoints`,
  )
  expect(node?.mend).toBe(
    'Set TRON_SOLIDITY_NODE_URL to the solidity node, which TRON_NODE_URL does not serve: port 8091 of java-tron, by default.',
  )
})

test('a solidity node in place of the full node, and the second provider’s, too', async () => {
  const [node, verifier] = await findings({
    TRON_NODE_URL: await port('walletsolidity'),
    TRON_VERIFIER_URL: await port('wallet'),
  })
  expect(node?.mend).toBe('Set TRON_NODE_URL to the full node: port 8090 of java-tron, by default.')
  expect(verifier).toMatchObject({ check: 'chain.verifier', status: 'fail' })
  expect(verifier?.mend).toContain('Set TRON_VERIFIER_SOLIDITY_URL to the solidity node')
})
