import { hash } from 'node:crypto'
import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { tronAddressFormat } from '../address/address.ts'
import { accountAt, alice, startFixture } from '../devnet.fixture.ts'
import { tronBroadcaster } from '../transfer/broadcaster.ts'
import { accountOfSigner, localDigestSigner, signDigest } from '../transfer/digest-signer.ts'
import { tronSweepChain } from './sweep-chain.ts'

const treasury = accountAt(alice)
const amount = usdt(50_000_000n)
const key = localDigestSigner('a5'.repeat(32))
const account = accountOfSigner(key)
const address = tronAddressFormat.format(account)

async function start(funds: { sun?: bigint; energy?: number } = {}) {
  const fixture = await startFixture()
  const { devnet, node, reader } = fixture
  const { tokenContract } = devnet
  const chain = tronSweepChain({ node, tokenContract, replicaLagBlocks: 2 })
  devnet.setTokenBalance(address, amount.minor)
  devnet.fund(address, { sun: 0n, energy: 0, ...funds })
  fixture.solidify()
  const build = async (over: { at?: number; minor?: bigint } = {}) => {
    const { timestamp } = devnet.head()
    return chain.build(account, {
      to: treasury,
      amount: usdt(over.minor ?? amount.minor),
      feeLimit: 30_000_000n,
      reference: await reader.head('solid'),
      at: new Date(timestamp + (over.at ?? 0)),
      expiresAt: new Date(timestamp + 43_200_000),
    })
  }
  const sign = ({ rawHex }: { rawHex: string }) =>
    signDigest(key, hash('sha256', Buffer.from(rawHex, 'hex'), 'buffer'))
  return { ...fixture, chain, build, sign, broadcaster: tronBroadcaster({ node, tokenContract }) }
}

test('a transfer that is signed elsewhere is accepted for 12 hours, and moves the tokens', async () => {
  const { devnet, chain, build, sign, broadcaster, solidify } = await start({ sun: 100_000_000n })
  const unsigned = await build()
  expect(devnet.requests('broadcasttransaction')).toEqual([])
  const signed = chain.join(unsigned, account, await sign(unsigned))
  if (!signed) throw new Error('the signature was refused')
  expect(signed.txHash).toBe(unsigned.txHash)
  expect(await broadcaster.broadcast(signed)).toBe('accepted')
  expect(await broadcaster.broadcast(signed)).toBe('duplicate')
  solidify()
  expect(await broadcaster.outcome(unsigned.txHash)).toEqual({ type: 'confirmed' })
  expect(devnet.tokenBalance(alice)).toBe(amount.minor)
  expect((await chain.tokenBalances([account])).balances.get(account)).toBe(0n)
})

test('the bytes name sender, recipient and amount, as the store checks them', async () => {
  const { build } = await start()
  const { rawHex, transaction, txHash } = await build()
  const call = `a9059cbb${treasury.padStart(64, '0')}${amount.minor.toString(16).padStart(64, '0')}`
  expect(rawHex).toContain(call)
  expect(rawHex).toContain(`41${account}`)
  expect(JSON.parse(transaction)).toMatchObject({ txID: txHash, raw_data_hex: rawHex })
})

test('a signature of other bytes, of another key, or of no key is refused', async () => {
  const { chain, build, sign } = await start()
  const [one, other] = [await build(), await build({ at: 1 })]
  const signature = await sign(one)
  expect(one.txHash).not.toBe(other.txHash)
  expect(chain.join(other, account, signature)).toBeUndefined()
  expect(chain.join(one, treasury, signature)).toBeUndefined()
  expect(chain.join({ ...one, rawHex: other.rawHex }, account, signature)).toBeUndefined()
  for (const wrong of ['', 'ab'.repeat(64), `${'00'.repeat(64)}1b`, `${signature.slice(0, -2)}1d`])
    expect(chain.join(one, account, wrong)).toBeUndefined()
})

test('both forms of the recovery bit are accepted, and sent as 1b or 1c', async () => {
  const { chain, build, sign } = await start()
  const unsigned = await build()
  const signature = await sign(unsigned)
  const short = signature.slice(0, -2) + (signature.endsWith('1b') ? '00' : '01')
  expect(chain.join(unsigned, account, short)).toEqual(chain.join(unsigned, account, signature))
})

const energyFee = 13_028_500n // 130,285 units at 100 sun, to an account without tokens.
const feeLimit = (energyFee * 13n) / 10n

test.each([
  ['nothing', {}, feeLimit, feeLimit],
  ['some TRX', { sun: 10_000_000n }, feeLimit, feeLimit - 10_000_000n],
  ['enough TRX', { sun: 20_000_000n }, feeLimit, 0n],
  ['energy for all of it', { sun: 1n, energy: 170_000 }, 0n, 0n],
])('the cost for an address with %s', async (_, funds, trxNeeded, trxMissing) => {
  const { chain } = await start(funds)
  expect(await chain.cost(account, treasury, amount)).toEqual({
    ...{ energy: 130_285n, energyFee, feeLimit, trxMissing },
    // An address that was never given TRX has no free bandwidth: it pays for the bytes too.
    trxNeeded: expect.toSatisfy((sun: bigint) => sun >= trxNeeded),
  })
})

test('a transfer of more than the address has, or of a blocked one, would revert', async () => {
  const { devnet, chain, solidify } = await start()
  expect(await chain.cost(account, treasury, usdt(amount.minor + 1n))).toBeUndefined()
  devnet.call('addBlackList(address)', [address])
  solidify()
  expect(await chain.cost(account, treasury, amount)).toBeUndefined()
})
