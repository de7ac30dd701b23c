import { usdt } from '@quipu/core'
import type { SweepSigner } from '@quipu/core/operator'
import { HDKey } from '@scure/bip32'
import { expect, test } from 'vitest'
import { tronAddressPath, tronAddresses } from '../address/top-up-addresses.ts'
import { accountAt, alice, bruno, startFixture } from '../devnet.fixture.ts'
import { tronSweepChain } from './sweep-chain.ts'
import { tronSweepKeys, tronSweepSigner } from './sweep-signer.ts'

const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/44'/195'/3'")
const source = tronAddresses(root.publicExtendedKey)
const keyAt = tronSweepKeys(root.privateExtendedKey)

async function start() {
  const { devnet, node, reader } = await startFixture()
  const { tokenContract } = devnet
  const chain = tronSweepChain({ node, tokenContract })
  const { account, address } = source.derive(5)
  const { timestamp } = devnet.head()
  const order = {
    to: accountAt(alice),
    amount: usdt(7000000n),
    feeLimit: 20000000n,
    reference: await reader.head('solid'),
    at: new Date(timestamp),
    expiresAt: new Date(timestamp + 432e5),
  }
  const unsigned = async (over: Partial<typeof order> = {}) => ({
    index: 5,
    address,
    amount: over.amount ?? order.amount,
    ...(await chain.build(account, { ...order, ...over })),
  })
  const signer = (over: { treasury?: string; tokenContract?: string } = {}): SweepSigner =>
    tronSweepSigner({ treasury: alice, tokenContract, keyAt, ...over })
  return { chain, account, unsigned, signer }
}

test('the key of an index signs the transfer to the signer’s treasury', async () => {
  const { chain, account, unsigned, signer } = await start()
  const transfer = await unsigned()
  const signature = await signer().sign(transfer)
  expect(chain.join(transfer, account, signature)?.txHash).toBe(transfer.txHash)
  expect(tronAddressPath(root.publicExtendedKey)(5)).toBe("m/44'/195'/3'/0/5")
})

test('another treasury, token, amount, address or fee limit is not signed', async () => {
  const { unsigned, signer } = await start()
  const transfer = await unsigned()
  const other = 'has other bytes than the transfer of its amount to the treasury'
  await expect(signer({ treasury: bruno }).sign(transfer)).rejects.toThrow(other)
  await expect(signer({ tokenContract: bruno }).sign(transfer)).rejects.toThrow(other)
  await expect(signer().sign({ ...transfer, amount: usdt(6_999_999n) })).rejects.toThrow(other)
  await expect(signer().sign(await unsigned({ to: accountAt(bruno) }))).rejects.toThrow(other)
  await expect(signer().sign({ ...transfer, index: 6 })).rejects.toThrow('the key at index 6')
  const dear = await unsigned({ feeLimit: 100_000_001n })
  await expect(signer().sign(dear)).rejects.toThrow('has too high a fee limit')
  const { rawHex } = await unsigned({ to: accountAt(bruno) })
  await expect(signer().sign({ ...transfer, rawHex })).rejects.toThrow(other)
})

test('another key than an extended private one is refused without being repeated', () => {
  for (const key of [root.publicExtendedKey, 'xprv', `${root.privateExtendedKey}x`])
    expect(() => tronSweepKeys(key)).toThrow(/^Sweeps need the extended private key \(xprv\) of/)
})
