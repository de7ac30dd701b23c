import fc from 'fast-check'
import { utils } from 'tronweb'
import { expect, test } from 'vitest'
import { decodeMessage, encodeMessage, type Field } from './protobuf.ts'
import { rawJson } from '../node/transaction-json.ts'
import { decodeSigned, transactionOf, type RawData } from './transaction.ts'

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((b) => Buffer.from(b).toString('hex'))
const address = hexOf(20).map((hex) => `41${hex}`)
const int = fc.maxSafeNat()

const raws: fc.Arbitrary<RawData> = fc.record({
  refBlockBytes: hexOf(2),
  refBlockHash: hexOf(8),
  expiration: int,
  timestamp: int,
  feeLimitSun: int,
  memo: fc.constant(''),
  permissionId: fc.constant(0),
  call: fc.record({
    type: fc.constant('TriggerSmartContract' as const),
    owner: address,
    contract: address,
    callValueSun: int,
    data: hexOf(68),
  }),
})

test('bytes and id equal those of tronweb', () => {
  fc.assert(
    fc.property(raws, (raw) => {
      const { txid, hex } = transactionOf(raw)
      const json = { visible: false, txID: '', raw_data_hex: '', raw_data: rawJson(raw) }
      const pb = utils.transaction.txJsonToPb(json)
      expect(hex).toBe(utils.transaction.txPbToRawDataHex(pb).toLowerCase())
      expect(`0x${txid}`).toBe(utils.transaction.txPbToTxID(pb))
    }),
  )
})

test('a transaction is decoded from its bytes', () => {
  fc.assert(
    fc.property(raws, hexOf(65), (raw, signature) => {
      const tx = transactionOf(raw, [signature])
      expect(decodeSigned(Buffer.from(tx.hex, 'hex'), [signature])).toEqual(tx)
    }),
  )
})

test('any bytes are a message or a RangeError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        expect(decodeSigned(bytes, [])).toBeDefined()
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }),
    { examples: [[Uint8Array.of(0x10, 0)]] }, // A signature that is a number.
  )
})

test('a number above 2^53 is refused', () => {
  const message: Field[] = [[1, Number.MAX_SAFE_INTEGER]]
  expect(decodeMessage(encodeMessage(message))).toEqual(message)
  expect(() => decodeMessage(Buffer.from('08ffffffffffffffff7f', 'hex'))).toThrow('2^53')
})
