import { expect, test } from 'vitest'
import { alice, bruno, startFixture } from '../devnet.fixture.ts'

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
  expect(devnet.transfers()).toMatchObject([{ txid, from: bruno, to: alice, value: 4n, block: 5 }])
  expect([devnet.tokenBalance(alice), devnet.tokenBalance(alice, 'solid')]).toEqual([4n, 0n])
  const forked = await admin('POST', 'fork', { depth: 1, drop: 'all', blocks: 3 })
  expect(forked.body).toMatchObject({ head: { number: 7 }, pending: [] })
  expect(devnet.transfers('head')).toEqual([])
  const refused = await admin('POST', 'fork', { depth: 3 })
  expect(refused).toMatchObject({ status: 409, body: { code: 'SOLID' } })
})

test('faults are added and cleared over HTTP', async () => {
  const { admin, ask, devnet } = await startFixture()
  const faults = [{ kind: 'hang', when: 'after', on: 'getnowblock' }]
  expect((await admin('POST', 'faults', { faults })).body).toEqual({ faults })
  const answer = ask('wallet/getnowblock')
  await devnet.untilHanging(1)
  expect((await admin('DELETE', 'faults')).status).toBe(200)
  expect((await answer).status).toBe(200)
})

test.each([
  ['mine', { count: -1 }],
  ['fork', {}],
  ['fork', { depth: 1, drop: 'some' }],
  ['token-balance', { address: 'nobody', value: '5' }],
  ['transfer', { from: alice, to: bruno, value: '-1' }],
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
