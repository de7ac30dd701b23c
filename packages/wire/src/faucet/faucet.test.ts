import { type FaucetSend, usdt } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { describe, expect, test } from 'vitest'
import { faucetRecordToJson, parseFaucetRequest } from './faucet.ts'

const address = 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA'
const key = '7f3c1f0a-5b1e-4c61-9f6c-0d9f6f1f2b11'
const body = { chain: 'tron', address, amount: '100.00' }
const account = 'ab'.repeat(20)
const accountOf = (text: string) => (text === address ? account : undefined)

describe('spec §4: the body of POST /sandbox/faucet', () => {
  const refusal = (given: unknown): string[] => {
    const parsed = parseFaucetRequest(given, key, accountOf)
    return parsed.ok ? [] : parsed.issues.map(({ field }) => field)
  }

  test('has chain, address and amount', () => {
    expect(parseFaucetRequest(body, key, accountOf)).toEqual({
      ok: true,
      value: {
        account,
        address,
        amount: usdt(100_000_000n),
        key: sha256(key),
        fingerprint: expect.stringMatching(/^v1:[0-9a-f]{64}$/),
      },
    })
    for (const name of ['chain', 'address', 'amount']) expect(refusal({ ...body, [name]: undefined })).toEqual([name])
    expect(refusal({ ...body, memo: 'x' })).toEqual(['memo'])
    for (const amount of ['0.0', '1.0000001']) expect(refusal({ ...body, amount })).toEqual(['amount'])
    expect(refusal(null)).toEqual(['body'])
  })

  test.each([
    ['0.000001', 1n],
    ['0.5', 500_000n],
    ['1', 1_000_000n],
    ['99.999999', 99_999_999n],
    ['123456789012.123456', 123_456_789_012_123_456n],
  ])('an amount of %s is exact', (amount, minor) => {
    expect(parseFaucetRequest({ ...body, amount }, key, accountOf)).toMatchObject({
      ok: true,
      value: { amount: usdt(minor) },
    })
  })

  test('the fingerprint depends on the body, not on the order of its members', () => {
    const printOf = (given: object): string => {
      const parsed = parseFaucetRequest(given, key, accountOf)
      if (!parsed.ok) throw new Error('refused')
      return parsed.value.fingerprint
    }
    const { chain, amount } = body
    expect(printOf({ amount, address, chain })).toBe(printOf(body))
    expect(printOf({ ...body, amount: '100.0' })).not.toBe(printOf(body))
  })
})

describe('spec §4: Idempotency-Key', () => {
  test('is any string but the empty one, however long', () => {
    const uuid = '7f3c1f0a-5b1e-4c61-9f6c-0d9f6f1f2b11'
    const long = 'x'.repeat(16_000)
    const keys = [uuid, 'a', '~!', 'a b', 'a, b', 'a\tb', 'ÿ', 'x'.repeat(255), long, `${long}y`]
    const read = keys.map((key) => {
      const parsed = parseFaucetRequest(body, key, accountOf)
      expect(parseFaucetRequest(body, key, accountOf)).toEqual(parsed)
      return parsed.ok ? parsed.value.key : ''
    })
    expect(new Set(read).size).toBe(keys.length)
    for (const key of read) expect(key).toMatch(/^[0-9a-f]{64}$/)
  })

  test.each([undefined, ''])('refuses %j and names the header', (key) => {
    expect(parseFaucetRequest(body, key, accountOf)).toEqual({
      ok: false,
      issues: [{ field: 'Idempotency-Key', message: expect.stringContaining('must not be empty') }],
    })
  })
})

test('lists a wrong checksum with the other issues', () => {
  const mistyped = `${address.slice(0, -1)}B`
  const issue = { field: 'address', message: 'must be a Tron address: T and 33 base58 characters with their checksum' }
  const read = (given: object) => parseFaucetRequest({ ...body, ...given }, key, accountOf)
  expect(read({ address: mistyped })).toEqual({ ok: false, issues: [issue] })
  expect(read({ address: mistyped, amount: '0' })).toMatchObject({ issues: [{ field: 'amount' }, issue] })
})

describe('spec §2 Faucet record', () => {
  test('has exactly these members, in this order', () => {
    const json = {
      id: '019aa1f4-5108-7000-8000-00000000000c',
      status: 'submitted',
      chain: 'tron',
      address,
      amount: '100.000000',
      tx_hash: 'cd'.repeat(32),
      created_at: '2026-11-20T15:04:05.006Z',
      remaining_today: '900.000000',
      replayed: false,
    }
    const at = new Date('2026-11-20T15:04:05.006Z')
    const send: FaucetSend = {
      id: json.id,
      tenantId: 'ten_1',
      key: 'k',
      fingerprint: 'v1:',
      account: 'ab'.repeat(20),
      chain: 'tron',
      address,
      amount: usdt(100000000n),
      status: 'submitted',
      transfer: { txHash: 'cd'.repeat(32), bytes: new Uint8Array([1]), expiresAt: at },
      remainingToday: usdt(900000000n),
      createdAt: at,
    }
    expect(JSON.stringify(faucetRecordToJson(send, false))).toBe(JSON.stringify(json))
    expect(faucetRecordToJson(send, true)).toEqual({ ...json, replayed: true })
  })
})
