import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BlockOrEmpty, InfoOrEmpty, Infos } from './block-answers.ts'
import { decodeBlock, decodeInfo, movedToken } from './decode-block.ts'

const token = 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'
const other = '11'.repeat(20)
const [alice, bruno] = ['aa'.repeat(20), 'bb'.repeat(20)]
const topic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (hex: string): string => hex.padStart(64, '0')
const id = (n: number): string => word(n.toString(16))

const number = 0x2_0a_bc
const blockID = `0000000000020abc${'c'.repeat(48)}`
const expiration = Date.parse('2026-11-21T12:01:00.000Z')

const blockJson = (ids: readonly string[]) => ({
  blockID,
  block_header: { raw_data: { number, timestamp: 1_000, parentHash: id(7) } },
  ...(ids.length > 0 && {
    transactions: ids.map((txID) => ({
      txID,
      ret: [{ contractRet: 'SUCCESS' }],
      raw_data: { expiration },
      raw_data_hex: '0a02',
    })),
  }),
})
const log = (change: object = {}) => ({
  address: token,
  topics: [topic, word(alice), word(bruno)],
  data: word('5'),
  ...change,
})
const infoJson = (id: string, change: object = {}) => ({
  id,
  blockNumber: number,
  blockTimeStamp: 1_000,
  contractResult: [''],
  receipt: { result: 'SUCCESS' },
  log: [log()],
  ...change,
})

function decode(ids: readonly string[], infos: readonly object[]) {
  const block = BlockOrEmpty.parse(blockJson(ids))
  return (
    block &&
    decodeBlock(
      block,
      Infos.parse(infos).map((info) => decodeInfo(info, token)),
    )
  )
}
const transfersOf = (change: object) => decode([id(1)], [infoJson(id(1), change)])?.transfers

test('a transfer has transaction, index, parties, value and expiration', () => {
  expect(decode([id(1)], [infoJson(id(1))])).toEqual({
    number,
    id: blockID,
    at: new Date(1_000),
    parentId: id(7),
    transactions: [id(1)],
    transfers: [{ txHash: id(1), index: 0, from: alice, to: bruno, value: 5n, expiresAt: new Date(expiration) }],
    unknownTokenTransfers: [],
  })
})

test('transfer index: the position among all logs of its transaction', () => {
  const logs = [log({ address: other }), log({ topics: [], data: '' }), log(), log()]
  expect(transfersOf({ log: logs })?.map(({ index }) => index)).toEqual([2, 3])
})

test('transfer via contract: one transaction can have many transfers', () => {
  const many = [alice, bruno, other].map((to) => log({ topics: [topic, word(alice), word(to)] }))
  expect(transfersOf({ log: many })?.map(({ to }) => to)).toEqual([alice, bruno, other])
})

test.each([
  ['FAILED', { result: 'FAILED' }],
  ['REVERT', { receipt: { result: 'REVERT' } }],
  ['OUT_OF_ENERGY', { receipt: { result: 'OUT_OF_ENERGY' }, result: 'FAILED' }],
  ['no result', { receipt: {} }],
])('failed tx: with %s it moved nothing, whatever its logs say', (_, change) => {
  const block = decode([id(1)], [infoJson(id(1), change)])
  expect(block?.transfers).toEqual([])
  expect(block?.transactions).toEqual([id(1)])
})

test.each([
  ['of another name', { topics: [word('1'), word(alice), word(bruno)] }],
  ['with two topics', { topics: [topic, word(alice)] }],
  ['with four topics', { topics: [topic, word(alice), word(bruno), word('5')], data: '' }],
  ['without topics', { topics: [] }],
  ['with a recipient of more than 20 bytes', { topics: [topic, word(alice), `01${bruno.padStart(62, '0')}`] }],
  ['with a sender of more than 20 bytes', { topics: [topic, `41${alice.padStart(62, '0')}`, word(bruno)] }],
  ['with 31 bytes of data', { data: '0'.repeat(62) }],
  ['with 33 bytes of data', { data: '0'.repeat(66) }],
  ['without data', { data: '' }],
])('fake event: a log %s is no transfer', (_, change) => {
  const block = decode([id(1)], [infoJson(id(1), { log: [log(change)] })])
  expect(block?.transfers).toEqual([])
  expect(block?.unknownTokenTransfers).toEqual([])
})

test('fake token: a log of another contract is no transfer, only one of an unknown token', () => {
  const block = decode([id(1)], [infoJson(id(1), { log: [log({ address: other })] })])
  expect(block).toMatchObject({ transfers: [], unknownTokenTransfers: [{ txHash: id(1), contract: other, to: bruno }] })
})

test('rejected internal calls: TRX of a contract is no transfer', () => {
  const internal = {
    caller_address: `41${other}`,
    transferTo_address: `41${bruno}`,
    callValueInfo: [{ callValue: 1_000_000 }],
    rejected: true,
  }
  expect(transfersOf({ log: [], internal_transactions: [internal] })).toEqual([])
})

test.each([
  ['contract', { address: token.toUpperCase() }],
  ['contract, as a T address', { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }],
  ['topic', { topics: [`0x${topic}`, word(alice), word(bruno)] }],
  ['data', { data: `0x${word('5')}` }],
  ['data, with half a byte,', { data: word('5').slice(1) }],
])('a log whose %s is written otherwise is refused, not overlooked', (_, change) => {
  expect(Infos.safeParse([infoJson(id(1), { log: [log(change)] })]).success).toBe(false)
})

test('unusual logs of a contract do not make a block invalid', () => {
  const odd = [log({ address: '01' }), log({ topics: ['ff'], data: 'abcd' }), log()]
  expect(transfersOf({ log: odd })?.map(({ index }) => index)).toEqual([2])
})

test('zero-value poisoning: a transfer of 0 has the value 0', () => {
  expect(transfersOf({ log: [log({ data: word('0') })] })?.[0]?.value).toBe(0n)
})

test('a value of 256 bits is exact', () => {
  const logs = [log({ data: 'f'.repeat(64) }), log({ data: word((2n ** 63n).toString(16)) })]
  expect(transfersOf({ log: logs })?.map(({ value }) => value)).toEqual([2n ** 256n - 1n, 2n ** 63n])
})

test.each([
  ['no infos at all', []],
  ['one too few', [infoJson(id(1))]],
  ['the same twice', [infoJson(id(1)), infoJson(id(1))]],
  ['one of another transaction', [infoJson(id(1)), infoJson(id(3))]],
  ['one too many', [infoJson(id(1)), infoJson(id(2)), infoJson(id(3))]],
  ['one of another block', [infoJson(id(1)), infoJson(id(2), { blockNumber: number + 1 })]],
])('silent empty: a block of two transactions with %s is not complete', (_, infos) => {
  expect(decode([id(1), id(2)], infos)).toBeUndefined()
})

test('a block with a duplicate transaction is incomplete', () => {
  expect(decode([id(1), id(1)], [infoJson(id(1)), infoJson(id(1))])).toBeUndefined()
})

test('a block is complete if the infos match its transactions, in any order', () => {
  const ids = fc.uniqueArray(fc.nat(1_000).map(id), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(ids, fc.infiniteStream(fc.nat()), (ids, order) => {
      const infos = ids
        .map((id) => ({ id, at: order.next().value ?? 0 }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ id }) => infoJson(id))
      expect(decode(ids, infos)?.transfers).toHaveLength(ids.length)
      expect(decode(ids, infos.slice(1))).toBeUndefined()
      expect(decode(ids.slice(1), infos)).toBeUndefined()
    }),
  )
})

test('members that proto3 omits are zero, false or empty', () => {
  const genesis = {
    blockID: word('1').replace(/^.{16}/, '0'.repeat(16)),
    block_header: { raw_data: { parentHash: id(9) } },
  }
  const block = BlockOrEmpty.parse(genesis)
  expect(block).toMatchObject({ header: { number: 0, at: new Date(0) }, transactions: [] })
  const trx = { id: id(1), blockNumber: number, receipt: { net_usage: 268 } }
  expect(decode([id(1)], [trx])?.transfers).toEqual([])
  expect(decode([id(1)], [{ id: id(1), blockNumber: number }])?.transfers).toEqual([])
})

test('{} is a missing item', () => {
  expect(BlockOrEmpty.parse({})).toBeUndefined()
  expect(InfoOrEmpty.parse({})).toBeUndefined()
  expect(Infos.parse({})).toEqual([])
})

test.each([
  ['an id with another number', { blockID: word('5') }],
  ['no parent', { block_header: { raw_data: { number, timestamp: 1_000 } } }],
  ['an id in capitals', { blockID: blockID.toUpperCase() }],
  ['a time beyond the range of Date', { block_header: { raw_data: { number, timestamp: 9e15, parentHash: id(7) } } }],
])('a block with %s is no answer', (_, change) => {
  expect(BlockOrEmpty.safeParse({ ...blockJson([]), ...change }).success).toBe(false)
})

test('a sent transfer moved the token only if it has a log of it', () => {
  const info = (change: object) => {
    const parsed = InfoOrEmpty.parse(infoJson(id(1), change))
    return parsed && movedToken(parsed, token)
  }
  expect(info({})).toBe(true)
  expect(info({ log: [log({ address: other })] })).toBe(false)
  expect(info({ log: [] })).toBe(false)
  expect(info({ result: 'FAILED' })).toBe(false)
})

test('a block of 600 transfers is decoded within 10 ms of CPU time', () => {
  const ids = Array.from({ length: 600 }, (_, i) => id(i + 1))
  const transactions = blockJson(ids).transactions?.map((tx) => ({
    ...tx,
    signature: ['ab'.repeat(65)],
    raw_data_hex: 'cd'.repeat(211),
  }))
  const block = JSON.stringify({ ...blockJson(ids), transactions })
  const infos = JSON.stringify(ids.map((id) => infoJson(id)))
  const read = (): number => {
    const before = process.cpuUsage()
    const parsed = BlockOrEmpty.parse(JSON.parse(block))
    const decoded =
      parsed &&
      decodeBlock(
        parsed,
        Infos.parse(JSON.parse(infos)).map((info) => decodeInfo(info, token)),
      )
    const { user, system } = process.cpuUsage(before)
    expect(decoded?.transfers).toHaveLength(600)
    return (user + system) / 1_000
  }
  // Warm up, because a scan runs for days.
  for (let round = 0; round < 20; round++) read()
  // Take the minimum, because other load only adds time.
  expect(Math.min(...Array.from({ length: 21 }, read))).toBeLessThan(10)
})
