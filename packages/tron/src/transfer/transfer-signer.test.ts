import { secp256k1 } from '@noble/curves/secp256k1.js'
import { usdt } from '@quipu/core'
import type { TransferOrder } from '@quipu/core/adapter'
import { TronWeb } from 'tronweb'
import { expect, test } from 'vitest'
import { accountAt, alice, bruno, startFixture } from '../devnet.fixture.ts'
import { type DigestSigner, localDigestSigner } from './digest-signer.ts'
import { localTransferSigner, tronTransferSigner } from './transfer-signer.ts'

const privateKey = 'a5'.repeat(32)
const tokenContract = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const local = localTransferSigner({ tokenContract, privateKey })

const order: TransferOrder = {
  to: accountAt(alice),
  amount: usdt(1_500_000n),
  feeLimit: 27_000_000n,
  reference: {
    number: 0x2_0a_bc,
    id: '0000000000020abc1122334455667788aabbccddeeff00112233445566778899',
    at: new Date('2026-11-21T12:00:00.000Z'),
  },
  at: new Date('2026-11-21T12:00:54.321Z'),
  expiresAt: new Date('2026-11-21T12:02:00.000Z'),
}

const json = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString())

/** Builds and signs with tronweb. */
async function byTronWeb() {
  const tron = new TronWeb({ fullHost: 'http://127.0.0.1:1', privateKey })
  const { transaction } = await tron.transactionBuilder.triggerSmartContract(
    tokenContract,
    'transfer(address,uint256)',
    {
      txLocal: true,
      feeLimit: 27_000_000,
      blockHeader: {
        ref_block_bytes: '0abc',
        ref_block_hash: '1122334455667788',
        expiration: order.expiresAt.getTime(),
        timestamp: order.at.getTime(),
      },
    },
    [
      { type: 'address', value: alice },
      { type: 'uint256', value: 1_500_000 },
    ],
  )
  const { signature, ...signed } = await tron.trx.sign(transaction)
  return { ...signed, signature: signature.map((hex) => hex.toLowerCase()) } // `1B` and `1b` are one byte.
}

test('a transfer equals that of tronweb byte for byte', async () => {
  const wanted = await byTronWeb()
  const { txHash, bytes, expiresAt } = await local.sign(order)
  expect(json(bytes)).toEqual(wanted)
  expect(txHash).toBe(wanted.txID)
  expect(expiresAt).toEqual(order.expiresAt)
  expect(local.account).toBe(accountAt(TronWeb.address.fromPrivateKey(privateKey) || ''))
})

test('an equal order gives the same bytes; another time another transaction', async () => {
  const [one, same, later] = await Promise.all([
    local.sign(order),
    local.sign({ ...order }),
    local.sign({ ...order, at: new Date(order.at.getTime() + 1) }),
  ])
  expect(same).toEqual(one)
  expect(later.txHash).not.toBe(one.txHash)
})

/** A service with the same key whose DER signatures have the higher s half of the time. */
function keyService(tamper = (der: Uint8Array): Uint8Array => der): DigestSigner {
  const { publicKey } = localDigestSigner(privateKey)
  return {
    publicKey: secp256k1.Point.fromBytes(publicKey).toBytes(true),
    async sign(digest) {
      const secret = Buffer.from(privateKey, 'hex')
      return tamper(secp256k1.sign(digest, secret, { prehash: false, lowS: false, format: 'der' }))
    },
  }
}

const otherS = (der: Uint8Array): Uint8Array => {
  const { r, s } = secp256k1.Signature.fromBytes(der, 'der')
  return new secp256k1.Signature(r, secp256k1.Point.Fn.neg(s)).toBytes('der')
}

test('a key management service gives the same bytes with either s', async () => {
  const services = [keyService(), keyService(otherS)]
  const signers = services.map((signer) => tronTransferSigner({ tokenContract, signer }))
  for (let second = 0; second < 8; second++) {
    const at = new Date(order.at.getTime() + second * 1_000)
    const wanted = await local.sign({ ...order, at })
    for (const signer of signers) expect(await signer.sign({ ...order, at })).toEqual(wanted)
  }
})

test('a signature of another key throws', async () => {
  const otherSigner = localDigestSigner('17'.repeat(32))
  const signer: DigestSigner = { ...keyService(), sign: otherSigner.sign }
  const { sign } = tronTransferSigner({ tokenContract, signer })
  await expect(sign(order)).rejects.toThrow('does not match the public key')
})

test('an invalid private key is refused, and not in the message', () => {
  for (const wrong of ['', 'secret', `0x${privateKey}`, `${privateKey}00`])
    expect(() => localTransferSigner({ tokenContract, privateKey: wrong })).toThrow(
      /^A private key has 64 hex digits\.$/,
    )
})

test('a node accepts the bytes and computes the same id', async () => {
  const { devnet, solidify } = await startFixture()
  const signer = localTransferSigner({ tokenContract: devnet.tokenContract, privateKey })
  const from = TronWeb.address.fromHex(`41${signer.account}`)
  devnet.fund(from, { sun: 100_000_000n })
  devnet.setTokenBalance(from, 2_000_000n)
  solidify()
  const { number, id, timestamp } = devnet.head('solid')
  const { txHash, bytes } = await signer.sign({
    ...order,
    to: accountAt(bruno),
    reference: { number, id, at: new Date(timestamp) },
    at: new Date(timestamp + 1),
    expiresAt: new Date(timestamp + 90_000),
  })
  const answer = await fetch(`${devnet.url}/wallet/broadcasttransaction`, { method: 'POST', body: Buffer.from(bytes) })
  expect(await answer.json()).toEqual({ result: true, txid: txHash })
  devnet.mine()
  expect(devnet.tokenBalance(bruno)).toBe(1_500_000n)
})
