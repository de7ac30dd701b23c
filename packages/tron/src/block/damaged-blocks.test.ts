import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Unavailable } from '@quipu/core'
import type { ChainBlock } from '@quipu/core/adapter'
import { type Damage, damagedBytes, damageKinds } from '@quipu/simulators'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { tronChainReader } from './chain-reader.ts'
import { alice, bruno, startFixture } from '../devnet.fixture.ts'

/** A node that damages each answer whose path ends in `endpoint`, on the way to a reader. */
async function damagedNode(endpoint: string) {
  const { devnet, client } = await startFixture()
  devnet.setTokenBalance(alice, 9_000_000n)
  devnet.transfer({ from: alice, to: bruno, value: 1_500_000n })
  devnet.transfer({ from: alice, to: bruno, value: 2_500_000n })
  const { number } = devnet.mine()
  let change = (bytes: Buffer): Buffer => bytes
  const proxy = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = { 'content-type': 'application/json' }
      const sent = { method: 'POST', headers, body: Buffer.concat(chunks) }
      void fetch(devnet.url + (request.url ?? ''), sent)
        .then((answer) => answer.arrayBuffer())
        .then((bytes) => {
          const whole = Buffer.from(bytes)
          response.end(request.url?.endsWith(endpoint) ? change(whole) : whole)
        })
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const node = client({ url, timeoutMs: 60_000 })
  const reader = tronChainReader({ node, tokenContract: devnet.tokenContract })
  const intact = await reader.block('head', number)
  if (!intact) throw new Error(`There is no block ${number}.`)
  return {
    intact,
    /** The block from a damaged answer; undefined when the reader answers `Unavailable`. */
    read: async (damage: (bytes: Buffer) => Buffer): Promise<ChainBlock | undefined> => {
      change = damage
      try {
        return await reader.block('head', number)
      } catch (error) {
        if (error instanceof Unavailable) return undefined
        throw error
      }
    },
  }
}

const runs = { numRuns: 150, seed: 25 }
const damages: fc.Arbitrary<Damage[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...damageKinds), at: fc.nat(20_000), value: fc.nat(255) }),
  { minLength: 1, maxLength: 3 },
)

test.each(['getblockbynum', 'gettransactioninfobyblocknum'])(
  'a damaged answer to %s is unavailable, or a block with the same transactions',
  async (endpoint) => {
    const { intact, read } = await damagedNode(endpoint)
    expect(intact.transfers.map(({ value }) => value)).toEqual([1_500_000n, 2_500_000n])
    await fc.assert(
      fc.asyncProperty(damages, async (changes) => {
        const block = await read((bytes) => damagedBytes(bytes, changes))
        if (!block) return
        expect(block.number).toBe(intact.number)
        expect(block.transactions).toHaveLength(intact.transactions.length)
        expect(block.transfers.length).toBeLessThanOrEqual(intact.transfers.length)
      }),
      runs,
    )
  },
)

test('a log with one digit less or more is unavailable: it could be a deposit', async () => {
  const { intact, read } = await damagedNode('gettransactioninfobyblocknum')
  const position = fc.record({ word: fc.nat(100), digit: fc.nat(39), isLost: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(position, async ({ word, digit, isLost }) => {
      const block = await read((bytes) => {
        const text = bytes.toString()
        const logs = text.indexOf('"log"')
        const words = [...text.matchAll(/[0-9a-f]{40,}/g)].filter(({ index }) => index > logs)
        const at = (words[word % words.length]?.index ?? 0) + digit
        return Buffer.from(text.slice(0, at) + (isLost ? '' : '0') + text.slice(at + (isLost ? 1 : 0)))
      })
      if (block) expect(block).toEqual(intact)
    }),
    runs,
  )
})
