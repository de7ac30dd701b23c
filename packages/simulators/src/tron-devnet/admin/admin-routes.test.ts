import { expect, test } from 'vitest'
import { alice, bruno, carla, startFixture } from '../devnet.fixture.ts'

test('the chain is moved over HTTP as in the same process', async () => {
  const { admin, devnet } = await startFixture({ solidLag: 2 })
  const chain = () => ({
    head: devnet.head(),
    solid: devnet.head('solid'),
    pending: devnet.pending(),
    token_contract: devnet.tokenContract,
  })
  expect((await admin('GET', 'chain')).body).toEqual(chain())
  expect((await admin('POST', 'mine')).body).toEqual(chain())
  expect(devnet.head().number).toBe(2)
  await admin('POST', 'token-balance', { address: bruno, value: '10' })
  const { txid } = (await admin('POST', 'transfer', { from: bruno, to: alice, value: '4' })).body
  await admin('POST', 'mine', { count: 2, empty: true })
  expect((await admin('GET', 'chain')).body).toMatchObject({ pending: [txid] })
  expect((await admin('POST', 'mine')).body).toEqual(chain())
  expect((await admin('GET', 'balance?address=' + alice)).body).toEqual({ token: '4', sun: '0' })
  expect((await admin('GET', `balance?address=${alice}&level=solid`)).body['token']).toBe('0')
  expect((await admin('GET', 'transfers')).body).toMatchObject([{ txid, from: bruno, to: alice, value: '4', block: 5 }])
  const forked = await admin('POST', 'fork', { depth: 1, drop: 'all', blocks: 3 })
  expect(forked.body).toMatchObject({ head: { number: 7 }, pending: [] })
  expect((await admin('GET', 'transfers?level=head')).body).toEqual([])
  const refused = await admin('POST', 'fork', { depth: 3 })
  expect(refused).toMatchObject({ status: 409, body: { code: 'SOLID' } })
  await admin('POST', 'stall-solid')
  expect((await admin('POST', 'mine', { count: 9 })).body).toMatchObject({ solid: { number: 5 } })
})

test('accounts and the token are set over HTTP', async () => {
  const { admin, ask, devnet } = await startFixture()
  await admin('POST', 'fund', { address: alice, sun: '12', energy: 500 })
  expect(devnet.trxBalance(alice)).toBe(12n)
  const resources = await ask('wallet/getaccountresource', { address: alice, visible: true })
  expect(resources.body).toMatchObject({ EnergyLimit: 500 })
  await admin('POST', 'energy-price', { sun: 7 })
  await admin('POST', 'token-fee', { rate: '100', max: '1000000' })
  await admin('POST', 'token-balance', { address: bruno, value: '1000' })
  await admin('POST', 'transfer', { from: bruno, to: alice, value: '100' })
  await admin('POST', 'blacklist', { address: carla })
  await admin('POST', 'call', { method: 'pause()' })
  await admin('POST', 'mine')
  expect(devnet.tokenBalance(alice)).toBe(99n)
  await admin('POST', 'transfer', { from: bruno, to: alice, value: '100' })
  await admin('POST', 'mine')
  expect(devnet.tokenBalance(alice)).toBe(99n)
  await admin('POST', 'pause', { paused: false })
  const { contract } = (await admin('POST', 'tokens', { symbol: 'FAKE' })).body
  const log = { from: carla, to: alice, value: (2n ** 256n - 1n).toString(), token: contract }
  const script = await admin('POST', 'script', {
    transfers: [{ from: bruno, to: carla, value: '100' }],
    logs: [log, { topics: ['Paid(uint256)'], data: 'ff' }],
  })
  await admin('POST', 'mine')
  const info = await ask('wallet/gettransactioninfobyid', { value: script.body['txid'] })
  expect(info.body['log']).toHaveLength(4)
  await admin('POST', 'call', { method: 'approve(address,uint256)', args: [alice, '5'], from: bruno })
  expect((await admin('POST', 'forget')).body).toMatchObject({ pending: [] })
})

test('nodes are added, delayed, frozen and made faulty over HTTP', async () => {
  const { admin, ask, devnet } = await startFixture()
  const { node, url } = (await admin('POST', 'nodes', { lag: 1 })).body
  expect(node).toBe(1)
  const head = async () => (await ask('wallet/getnowblock', {}, String(url))).body['blockID']
  const parent = devnet.head().id
  devnet.mine()
  expect(await head()).toBe(parent)
  await admin('POST', 'node', { node, lag: 0 })
  expect(await head()).toBe(devnet.head().id)
  await admin('POST', 'node', { node, frozen: true })
  const frozen = devnet.head().id
  devnet.mine()
  expect(await head()).toBe(frozen)
  await admin('POST', 'node', { node, frozen: false, down: true })
  expect(await head()).toBeUndefined()
  await admin('POST', 'node', { node, down: false })
  expect(await head()).toBe(devnet.head().id)

  const faults = [{ kind: 'status', status: 503, on: 'getnowblock' }]
  expect((await admin('POST', 'faults', { node, faults })).body).toEqual({ faults })
  expect(await head()).toBeUndefined()
  expect((await ask('wallet/getnowblock')).status).toBe(200)
  await admin('DELETE', 'faults?node=1')
  expect(await head()).toBe(devnet.head().id)
  expect((await admin('GET', 'requests?node=0&endpoint=getnowblock')).body).toMatchObject({
    requests: [{ path: 'wallet/getnowblock' }],
  })
  expect(await admin('POST', 'node', { node: 7 })).toMatchObject({ status: 404 })
})

test('requests that hang are listed and released over HTTP', async () => {
  const { admin, ask, devnet } = await startFixture()
  await admin('POST', 'faults', { faults: [{ kind: 'hang', when: 'after' }] })
  const answer = ask('wallet/getnowblock')
  await devnet.untilHanging(1)
  expect((await admin('GET', 'hanging')).body).toEqual({ paths: ['wallet/getnowblock'] })
  expect((await admin('POST', 'release')).body).toEqual({ released: 1 })
  expect((await answer).status).toBe(200)
})

test.each([
  ['mine', { count: -1 }],
  ['fork', {}],
  ['fork', { depth: 1, drop: 'some' }],
  ['fund', { address: 'nobody' }],
  ['fund', { address: alice, sun: 5 }],
  ['transfer', { from: alice, to: bruno, value: '-1' }],
  ['script', { logs: [{ topics: ['x'], data: 'xyz' }] }],
  ['script', { result: 'FAILED' }],
  ['faults', { faults: [{ kind: 'dance' }] }],
  ['faults', { faults: [{ kind: 'status', status: 503, unless: 1 }] }],
])('%s with %j is a 400', async (path, body) => {
  const { admin } = await startFixture()
  expect((await admin('POST', path, body)).status).toBe(400)
})

test('a start on a used port fails and leaves nothing running', async () => {
  const { devnet } = await startFixture()
  const taken = Number(new URL(devnet.adminUrl).port)
  const before = await startFixture()
  const port = Number(new URL(before.devnet.url).port)
  await before.devnet.stop()
  await expect(startFixture({ port, adminPort: taken })).rejects.toThrow('EADDRINUSE')
  const { ask } = await startFixture({ port })
  expect((await ask('wallet/getnowblock')).status).toBe(200)
})
