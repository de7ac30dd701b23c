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
  const sign = ({ rawHex }: { rawHex: string }) => signDigest(key, hash('sha256', Buffer.from(rawHex, 'hex'), 'buffer'))
  return { ...fixture, chain, build, sign, broadcaster: tronBroadcaster({ node, tokenContract }) }
}

test('the bytes name sender, recipient and amount, as the store checks them', async () => {
  const { build } = await start()
  const { rawHex, transaction, txHash } = await build()
  const call = `a9059cbb${treasury.padStart(64, '0')}${amount.minor.toString(16).padStart(64, '0')}`
  expect(rawHex).toContain(call)
  expect(rawHex).toContain(`41${account}`)
  expect(JSON.parse(transaction)).toMatchObject({ txID: txHash, raw_data_hex: rawHex })
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
    energy: 130285n,
    energyFee,
    feeLimit,
    trxMissing,
    trxNeeded: expect.toSatisfy((sun: bigint) => sun >= trxNeeded),
  })
})
