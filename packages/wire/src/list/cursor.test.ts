import { walletTransactionId } from '@quipu/core/adapter'
import { anyId, anyInstant, anyUuid } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cursor, type CursorScope, cursorScope, decodeCursor, encodeCursor } from './cursor.ts'

const scope = cursorScope('payouts', 'ten_1', { status: 'completed' })
const anyPlace = fc.tuple(anyId('ten'), anyInstant, fc.bigInt({ min: 1n, max: 2n ** 40n - 1n }))

/** The ids of each list's rows. */
const idsOf: readonly (readonly [CursorScope['list'], fc.Arbitrary<string>])[] = [
  ['payouts', anyId('po')],
  ['deposits', anyId('dep')],
  ['wallet_transactions', anyPlace.map((at) => walletTransactionId(...at))],
  ['events', anyUuid],
  ['requests', anyUuid],
  ['webhooks', anyId('we')],
  ['deliveries', anyUuid],
  ['tenants', anyId('ten')],
  ['api_keys', anyId('key')],
  ['wallets', anyId('wal')],
  ['faucet_sends', anyUuid],
  ['proposals', anyId('prp')],
  ['differences', anyId('dif')],
  ['reconciliation_runs', anyId('rcn')],
  ['sweeps', anyId('swb')],
  ['sweep_addresses', fc.stringMatching(/^T[1-9A-HJ-NP-Za-km-z]{33}$/)],
  ['operator_tokens', anyId('opt')],
  ['statements', anyInstant.map((at) => at.toISOString().slice(0, 10))],
  ['all_deliveries', fc.tuple(anyUuid, anyId('we')).map(([event, we]) => `${event}_${we.slice(3)}`)],
  ['audit_log', fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }).map(String)],
]
const anyPosition = fc.record({ createdAt: anyInstant, id: anyId('po') })

test.each(idsOf)('a cursor of %s gives back its place, and satisfies the schema', (list, anyIds) => {
  const scope = cursorScope(list, 'ten_1')
  fc.assert(
    fc.property(fc.record({ createdAt: anyInstant, id: anyIds }), (position) => {
      const text = encodeCursor(position, scope)
      expect(decodeCursor(text, scope)).toEqual(position)
      expect(cursor.safeParse(text).success).toBe(true)
    }),
  )
})

test('a cursor is valid for one list, one owner and one set of filters', () => {
  const position = { createdAt: new Date(0), id: 'po_01KAGZ8M88000000000000000A' }
  const text = encodeCursor(position, scope)
  for (const other of [
    cursorScope('deposits', 'ten_1', { status: 'completed' }),
    cursorScope('payouts', 'ten_2', { status: 'completed' }),
    cursorScope('payouts', 'ten_1', { status: 'failed' }),
    cursorScope('payouts', 'ten_1', { type: 'completed' }),
    cursorScope('payouts', 'ten_1'),
  ])
    expect(decodeCursor(text, other)).toBeUndefined()
})

test('the order in which filters are given does not matter', () => {
  expect(cursorScope('payouts', 'ten_1', { a: '1', b: '2' })).toEqual(
    cursorScope('payouts', 'ten_1', { b: '2', a: '1' }),
  )
})

test('a cursor with any character changed is refused', () => {
  fc.assert(
    fc.property(anyPosition, fc.nat(), fc.stringMatching(/^[A-Za-z0-9_-]$/), (position, i, other) => {
      const text = encodeCursor(position, scope)
      const at = i % text.length
      const changed = text.slice(0, at) + other + text.slice(at + 1)
      expect(decodeCursor(changed, scope)).toEqual(changed === text ? position : undefined)
    }),
  )
})

test('the digest covers the position', () => {
  const [one, other] = ['A', 'B'].map((last) =>
    Buffer.from(
      encodeCursor({ createdAt: new Date(1), id: `po_01KAGZ8M88000000000000000${last}` }, scope),
      'base64url',
    ).toString(),
  ) as [string, string]
  const swapped = one.slice(0, one.lastIndexOf('.')) + other.slice(other.lastIndexOf('.'))
  expect(decodeCursor(Buffer.from(swapped).toString('base64url'), scope)).toBeUndefined()
})

test('a cursor leads up to the last millisecond of the year 9999', () => {
  const position = { createdAt: new Date('9999-12-31T23:59:59.999Z'), id }
  expect(decodeCursor(encodeCursor(position, scope), scope)).toEqual(position)
})

test('the schema of a cursor takes what the service makes for any list, and nothing around it', () => {
  const made = encodeCursor({ createdAt: new Date(0), id: 'po_1' }, scope)
  expect(cursor.safeParse(made).success).toBe(true)
  for (const text of ['A', 'bad', `${made}\n`, ` ${made}`, '', 'x'.repeat(257), 'A=', ' A', 'A\n', '+A', 'A/'])
    expect(cursor.safeParse(text).success).toBe(false)
})

test('refuses arbitrary text and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })), (text) => {
      expect(decodeCursor(text, scope)).toBeUndefined()
    }),
  )
})

const id = 'po_01KAGZ8M88000000000000000A'

test('refuses a forged cursor with an impossible position', () => {
  const valid = Buffer.from(encodeCursor({ createdAt: new Date(1), id }, scope), 'base64url')
  const check = valid.toString().slice(-16)
  for (const text of [
    `1.1.po_1\u0000.${check}`,
    `1.-1.${id}.${check}`,
    `1.01.${id}.${check}`,
    `1.1e3.${id}.${check}`,
    `1.1..${check}`,
    `1.1.${'p'.repeat(65)}.${check}`,
    `2.1.${id}.${check}`,
    `1.1.${id}.${check}.`,
    ` 1.1.${id}.${check}`,
  ])
    expect(decodeCursor(Buffer.from(text).toString('base64url'), scope), text).toBeUndefined()
})

test.each(idsOf)('a cursor of %s with a correct digest but no id of its rows is refused', (list) => {
  const scope = cursorScope(list, 'ten_1')
  const foreign = list === 'payouts' ? 'qrr_01KAGZ8M88000000000000000A' : id
  const tooLate = new Date(253_402_300_800_000) // the year 10000
  for (const position of [
    { createdAt: new Date(1), id: 'x' },
    { createdAt: new Date(1), id: '0' },
    { createdAt: new Date(1), id: '1x' },
    { createdAt: new Date(1), id: 'x1' },
    { createdAt: new Date(1), id: 'T1' },
    { createdAt: new Date(1), id: `xT${'1'.repeat(33)}` },
    { createdAt: new Date(1), id: `T${'1'.repeat(34)}` },
    { createdAt: new Date(1), id: `T${'0'.repeat(33)}` },
    { createdAt: new Date(1), id: '2026-02-30' },
    { createdAt: new Date(1), id: foreign },
    { createdAt: new Date(1), id: '0199A3F4-5C00-7000-8000-000000000001' },
    { createdAt: new Date(1), id: `wtx_01KAGZ8M88${'0'.repeat(16)}` },
    { createdAt: tooLate, id },
  ])
    expect(decodeCursor(encodeCursor(position, scope), scope), position.id).toBeUndefined()
})

test('only one spelling of a cursor is accepted', () => {
  const text = encodeCursor({ createdAt: new Date(1), id }, scope)
  for (const spelling of [`${text}=`, ` ${text}`, `${text}\n`, `${text}!`])
    expect(decodeCursor(spelling, scope)).toBeUndefined()
})
