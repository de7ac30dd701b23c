import { describe, expect, test } from 'vitest'
import { issuesOf } from '../list/query.fixture.ts'
import { branchCities, metadataMax, parsePayoutRequest } from './payout-request.ts'

const qrBody = {
  transaction_id: 'order-1',
  type: 'qr',
  quote_id: '019aa1f4-5108-7000-8000-00000000000a',
  qr: { content: 'MOCK:OPEN' },
}

const bank = {
  bank_code: '1016',
  account_number: '1000123456',
  branch_city: 'LPZ',
  holder_name: 'Ana Quispe',
  identification_number: '4812345-LP',
}
const { qr: _, ...common } = qrBody
const bankBody = { ...common, type: 'bank_transfer', bank_transfer: bank }

const refusal = (body: unknown) => issuesOf(parsePayoutRequest(body))

const expectAccepted = (body: unknown): void => expect(refusal(body)).toEqual([])
const expectRefused = (body: unknown, ...issues: string[]): void => expect(refusal(body)).toEqual(issues)

/** As many code points of four bytes each: two UTF-16 units, one character. */
const wide = (count: number): string => '\u{1F9F6}'.repeat(count)

test('spec §4: a qr request is read, its UUID in lower case', () => {
  const body = { ...qrBody, quote_id: qrBody.quote_id.toUpperCase(), description: 'Order 1' }
  expect(parsePayoutRequest(body)).toEqual({
    ok: true,
    value: {
      type: 'qr',
      transactionId: 'order-1',
      quoteId: qrBody.quote_id,
      content: 'MOCK:OPEN',
      description: 'Order 1',
      fingerprint: expect.stringMatching(/^v1:[0-9a-f]{64}$/),
    },
  })
})

test('metadata is texts by name, few and short, and part of the fingerprint', () => {
  const read = (metadata: unknown) => {
    const parsed = parsePayoutRequest({ ...qrBody, metadata })
    if (!parsed.ok || parsed.value.type !== 'qr') throw new Error('refused')
    return parsed.value
  }
  const members = (count: number, text = '') =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, text]))
  expect(read({ order: '1' }).metadata).toEqual({ order: '1' })
  expect(read({}).metadata).toBeUndefined()
  expect(read({ order: '1' }).fingerprint).not.toBe(read({ order: '2' }).fingerprint)
  expect({ ok: true, value: read(null) }).toEqual(parsePayoutRequest(qrBody))
  expectAccepted({ ...qrBody, metadata: members(20, wide(48)) })
  expectAccepted({ ...qrBody, metadata: { ['k'.repeat(40)]: 'x'.repeat(500) } })
  expectRefused({ ...qrBody, metadata: members(21) }, 'metadata must have at most 20 members')
  expectRefused(
    { ...qrBody, metadata: members(20, 'x'.repeat(400)) },
    `metadata must be at most ${metadataMax.bytes} bytes of JSON`,
  )
  expectRefused({ ...qrBody, metadata: ['1'] }, 'metadata must be a JSON object of strings')
  for (const value of [1, null, true, {}, 'x'.repeat(501)])
    expect(refusal({ ...qrBody, metadata: { order: value } })).toEqual([
      expect.stringMatching(/^metadata\.order must be/),
    ])
  expectRefused({ ...qrBody, metadata: { ['__proto__']: '1' } }, 'metadata must be a JSON object of strings')
  for (const name of ['', 'a b', 'a[0]', '_a', 'k'.repeat(41)])
    expect(refusal({ ...qrBody, metadata: { [name]: '1' } })).toEqual([expect.stringMatching(/must be named/)])
})

test('a request is the same with and without nulls for what may be left out', () => {
  const [plain, ...sparse] = [qrBody, { ...qrBody, description: null }, { ...qrBody, bank_transfer: null }].map(
    parsePayoutRequest,
  )
  for (const each of sparse) expect(each).toEqual(plain)
})

test('spec §4: a description is optional, and an empty one is null', () => {
  for (const description of [undefined, null, ''])
    expect(parsePayoutRequest({ ...qrBody, description })).toMatchObject({ value: { description: null } })
})

test('spec §4 rule 2: a bank_transfer is validated, and its members are dropped', () => {
  expect(parsePayoutRequest(bankBody)).toEqual({ ok: true, value: { type: 'bank_transfer' } })
})

test('spec §4: qr.content is passed on unchanged', () => {
  const parsed = parsePayoutRequest({ ...qrBody, qr: { content: '  ñ\r\n ' } })
  expect(parsed.ok && parsed.value).toMatchObject({ content: '  ñ\r\n ' })
})

describe('spec §4 and §8: bank_transfer', () => {
  const rules: [string, unknown[], unknown[], string][] = [
    [
      'bank_code',
      ['1', '1'.repeat(10)],
      ['', '1'.repeat(11), 'A1', '1 ', '٣', 1, null],
      'must be a string of 1 to 10 digits',
    ],
    [
      'account_number',
      ['1'.repeat(6), '1'.repeat(30)],
      ['1'.repeat(5), '1'.repeat(31), '12345-', 123456, null],
      'must be a string of 6 to 30 digits',
    ],
    [
      'branch_city',
      [...branchCities],
      ['lpz', 'LP', '', 'LPZ ', null],
      'must be CBB, COB, LPZ, ORU, POT, SCZ, SUC, TJA or TRI',
    ],
    [
      'holder_name',
      ['abc', 'a'.repeat(80), wide(3), wide(80)],
      ['ab', wide(2), 'a'.repeat(81), 'ab\u0000', 'ab\uD83E', null],
      'must be a string of 3 to 80 characters, without NUL or unpaired surrogates',
    ],
    [
      'identification_number',
      ['AZ-az', '0'.repeat(20)],
      ['1234', '0'.repeat(21), '12 34', '1234.', 'ñandu', null],
      'must be 5 to 20 characters from A-Z a-z 0-9 -',
    ],
  ]

  test.each(rules)('%s follows its rule', (field, good, bad, rule) => {
    const transfer = (value: unknown): object => ({ ...bankBody, bank_transfer: { ...bank, [field]: value } })
    for (const value of good) expectAccepted(transfer(value))
    for (const value of bad) expectRefused(transfer(value), `bank_transfer.${field} ${rule}`)
  })
})

describe('spec §4 rule 1: the object of the other type', () => {
  const members = 'allowed are transaction_id, type, quote_id'

  test('is refused beside a qr', () => {
    expectRefused(
      { ...qrBody, bank_transfer: bank },
      `bank_transfer is not allowed with type qr; ${members}, qr, description, metadata`,
    )
  })

  test('is refused beside a bank_transfer', () => {
    expectRefused(
      { ...bankBody, qr: qrBody.qr },
      `qr is not allowed with type bank_transfer; ${members}, bank_transfer, description, metadata`,
    )
  })
})

describe('an unknown member', () => {
  test('is refused also when it is named like a member of Object.prototype', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const text = JSON.stringify(qrBody).replace('{', `{"${name}":{},`)
      expect(refusal(JSON.parse(text))[0]).toMatch(new RegExp(`^${name} is not allowed`))
    }
  })
})

test('the fingerprint is of the body as sent: the same UUID in another case is another body', () => {
  const lower = parsePayoutRequest(qrBody)
  const upper = parsePayoutRequest({ ...qrBody, quote_id: qrBody.quote_id.toUpperCase() })
  if (!lower.ok || !upper.ok || lower.value.type !== 'qr' || upper.value.type !== 'qr')
    throw new Error('both are requests to pay a QR')
  expect(upper.value.quoteId).toBe(lower.value.quoteId)
  expect(upper.value.fingerprint).not.toBe(lower.value.fingerprint)
})
