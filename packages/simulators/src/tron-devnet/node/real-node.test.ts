import { Agent, request } from 'node:http'
import { once } from 'node:events'
import { utils } from 'tronweb'
import { expect, test } from 'vitest'
import { alice, bruno, startFixture, textOf } from '../devnet.fixture.ts'

// In these points java-tron 4.8.0 differs from what a client may expect.

test('a port serves one prefix, and answers 405 with HTML for the other and for unknown paths', async () => {
  const { devnet, ask } = await startFixture()
  const wallet = await devnet.addNode({ serves: 'wallet' })
  const solidity = await devnet.addNode({ serves: 'walletsolidity' })
  const statuses = async (url: string) =>
    Promise.all(
      ['wallet/getnowblock', 'walletsolidity/getnowblock', 'wallet/nothing'].map(
        async (path) => (await ask(path, {}, url)).status,
      ),
    )
  expect(await statuses(devnet.url)).toEqual([200, 200, 405])
  expect(await statuses(wallet.url)).toEqual([200, 405, 405])
  expect(await statuses(solidity.url)).toEqual([405, 200, 405])
  const refused = await fetch(`${wallet.url}/walletsolidity/getnowblock`, { method: 'POST' })
  expect(refused.headers.get('content-type')).toContain('text/html')
  expect(await refused.text()).toContain('HTTP method POST is not supported')
})

test('the genesis block has a transaction, and no receipt of it', async () => {
  const { ask } = await startFixture()
  const { transactions } = (await ask('wallet/getblockbynum', { num: 0 })).body
  const [granted] = transactions as readonly { txID: string }[]
  expect(granted?.txID).toMatch(/^[0-9a-f]{64}$/)
  expect((await ask('wallet/gettransactioninfobyblocknum', { num: 0 })).body).toEqual({})
  expect((await ask('wallet/gettransactioninfobyid', { value: granted?.txID })).body).toEqual({})
})

test('a failed assert of a simulated call is an error without a result', async () => {
  const { devnet, ask } = await startFixture()
  const token = devnet.deployToken({ asserts: true })
  const simulate = async (contract_address: string) => {
    const body = { owner_address: utils.address.toHex(alice), contract_address: utils.address.toHex(contract_address) }
    const call = { function_selector: 'transfer(address,uint256)', parameter: `${'0'.repeat(63)}1`.repeat(2) }
    return (await ask('wallet/triggerconstantcontract', { ...body, ...call })).body
  }
  const { result, ...rest } = await simulate(token)
  const { code, message, result: isDone } = result as Record<string, unknown>
  expect([code, isDone, rest]).toEqual(['OTHER_ERROR', undefined, {}])
  expect(textOf(message)).toBe(
    'class org.tron.core.vm.program.Program$IllegalOperationException : Invalid operation code: opCode[fe];',
  )
  expect((await simulate(devnet.tokenContract))['result']).toMatchObject({ result: true })
})

test('a failed assert in a block uses up all energy and moves nothing', async () => {
  const { devnet, ask } = await startFixture()
  const token = devnet.deployToken({ asserts: true })
  const txid = devnet.transfer({ from: alice, to: bruno, value: 1n, token })
  devnet.mine()
  const { body } = await ask('wallet/gettransactioninfobyid', { value: txid })
  expect(body).toMatchObject({ receipt: { result: 'ILLEGAL_OPERATION' }, result: 'FAILED' })
  expect(body).not.toHaveProperty('log')
})

test('with trxCache a refused transfer is a duplicate the second time', async () => {
  const { devnet, ask, wallet } = await startFixture()
  const cached = await devnet.addNode({ trxCache: true })
  const sender = await wallet({ sun: 1_000_000_000n, micros: 5n })
  const expired = await sender.signTransfer(alice, 1, { expiration: devnet.head().timestamp })
  const send = async (url: string) => (await ask('wallet/broadcasttransaction', expired, url)).body['code']
  const refusal = 'TRANSACTION_EXPIRATION_ERROR'
  expect([await send(cached.url), await send(cached.url)]).toEqual([refusal, 'DUP_TRANSACTION_ERROR'])
  expect([await send(devnet.url), await send(devnet.url)]).toEqual([refusal, refusal])
})

test('a limiter delays requests, also for those that were given up', async () => {
  const { devnet, ask, step } = await startFixture()
  const limited = await devnet.addNode({ qps: 2 })
  const abort = new AbortController()
  const given = fetch(`${limited.url}/wallet/getnowblock`, { method: 'POST', signal: abort.signal })
  await given
  const lost = fetch(`${limited.url}/wallet/getnowblock`, { method: 'POST', signal: abort.signal })
  await expect.poll(() => limited.requests()).toHaveLength(2)
  abort.abort()
  await expect(lost).rejects.toThrow()
  const third = ask('wallet/getnowblock', {}, limited.url)
  await expect.poll(() => limited.requests()).toHaveLength(3)
  const ended = { third: false }
  void third.then(() => (ended.third = true))
  step(500)
  devnet.tick()
  await ask('wallet/getnowblock')
  expect(ended.third).toBe(false)
  step(500)
  devnet.tick()
  expect((await third).status).toBe(200)
})

test('a restart loses the blocks that are not solid, and pending transactions', async () => {
  const { devnet } = await startFixture({ solidLag: 2 })
  devnet.setTokenBalance(alice, 10n)
  devnet.transfer({ from: alice, to: bruno, value: 1n })
  devnet.mine(3)
  const solid = devnet.head('solid')
  devnet.transfer({ from: alice, to: bruno, value: 2n })
  devnet.mine()
  const lost = devnet.head()
  devnet.transfer({ from: alice, to: bruno, value: 4n })
  expect(devnet.restart()).toEqual(devnet.head('solid'))
  expect(devnet.pending()).toEqual([])
  expect(devnet.tokenBalance(bruno)).toBe(1n)
  expect(devnet.head().number).toBeGreaterThanOrEqual(solid.number)
  devnet.mine(lost.number - devnet.head().number)
  expect(devnet.head()).not.toEqual(lost)
})

test('connections beyond the limit wait until another one is closed', async () => {
  const { devnet } = await startFixture()
  const limited = await devnet.addNode({ connectionsMax: 2 })
  const agents = [0, 1, 2].map(() => new Agent({ keepAlive: true }))
  const status = async (agent: Agent | undefined): Promise<number | undefined> => {
    const sent = request(`${limited.url}/wallet/getnowblock`, { method: 'POST', agent }).end()
    const [response] = await once(sent, 'response')
    response.resume()
    await once(response, 'end')
    return response.statusCode
  }
  expect([await status(agents[0]), await status(agents[1])]).toEqual([200, 200])
  const third = status(agents[2])
  expect(await status(agents[0])).toBe(200)
  expect(limited.requests()).toHaveLength(3)
  agents[1]?.destroy()
  expect(await third).toBe(200)
  for (const agent of agents) agent.destroy()
})
