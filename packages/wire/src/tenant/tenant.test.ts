import { bob, usdt } from '@quipu/core'
import type { TenantRecord } from '@quipu/core/operator'
import { anyTenant } from '@quipu/contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeCursor } from '../list/cursor.ts'
import type { Parsed } from '../json/parsed.ts'
import { parseOperatorList } from '../list/operator-list.ts'
import {
  parseResumption,
  parseSuspension,
  parseTenantPatch,
  parseTenantRequest,
  tenant,
  tenantPatch,
  tenantRequest,
  tenantToJson,
} from './tenant.ts'

const contact = { name: 'Ana Quispe', email: 'ana@example.com' }
const body = { legal_name: 'Ejemplo S.R.L.', technical_contact: contact }

const issuesOf = (parsed: Parsed<unknown>): string[] =>
  parsed.ok ? [] : parsed.issues.map(({ field, message }) => `${field} ${message}`)
const refusal = (changes: object): string[] => issuesOf(parseTenantRequest({ ...body, ...changes }))

describe('creating a tenant', () => {
  test('spec §1 Onboarding: takes a legal name and a technical contact', () => {
    expect(parseTenantRequest(body)).toEqual({
      ok: true,
      value: { legalName: 'Ejemplo S.R.L.', technicalContact: contact },
    })
  })

  test('takes pricing', () => {
    const pricing = { margin_bps: 150, fee_bps: 50, fee_fixed: '0.10', payment_cap_bob: '1000' }
    const parsed = parseTenantRequest({ ...body, ...pricing })
    expect(parsed.ok && parsed.value.pricing).toEqual({
      marginBps: 150,
      feeBps: 50,
      feeFixed: usdt(100_000n),
      paymentCap: bob(1000_00n),
    })
  })

  test('requires both members and both of the contact', () => {
    expect(issuesOf(parseTenantRequest({}))).toHaveLength(2)
    expect(refusal({ technical_contact: {} }).map((issue) => issue.split(' ')[0])).toEqual([
      'technical_contact.name',
      'technical_contact.email',
    ])
  })

  test('accepts names of 1 to 200 characters', () => {
    for (const name of ['x', '\u{1F9F6}'.repeat(200)]) expect(refusal({ legal_name: name })).toEqual([])
    for (const name of ['', 'x'.repeat(201), 'x\u0000', null]) expect(refusal({ legal_name: name })).toHaveLength(1)
  })

  test.each([
    ['a line break', '\n'],
    ['an escape', '\u001b'],
    ['a delete', '\u007f'],
    ['an override of direction', '\u202e'],
    ['an isolate', '\u2066'],
    ['a mark', '\u200f'],
    ['a line separator', '\u2028'],
    ['a zero-width space', '\u200b'],
    ['a byte order mark', '\ufeff'],
  ])('refuses %s in names and addresses', (_, character) => {
    const odd = `Ejemplo${character}S.A.`
    const message =
      'must be a string of 1 to 200 characters, without control characters, line breaks, and characters that reorder or hide text'
    expect(refusal({ legal_name: odd })).toEqual([`legal_name ${message}`])
    expect(refusal({ technical_contact: { ...contact, name: odd } })).toEqual([`technical_contact.name ${message}`])
    const email = `a${character}b@example.com`
    expect(refusal({ technical_contact: { ...contact, email } })).toHaveLength(1)
  })

  test.each(['<script>@x.y', 'a@example.com>', 'a"b@c.d', 'a,b@c.d', 'a@b;c', 'Ana <a@b.c>'])(
    'refuses the address %s, which a mail gateway reads otherwise',
    (email) => expect(refusal({ technical_contact: { ...contact, email } })).toHaveLength(1),
  )

  test('accepts plausible email addresses', () => {
    const email = (text: unknown): string[] => refusal({ technical_contact: { ...contact, email: text } })
    for (const text of ['a@b', 'a+b@example.com', 'ñ@ñandú.bo']) expect(email(text)).toEqual([])
    for (const text of ['', 'a', 'a@', '@b', 'a b@c', 'a@b@c', 'a@b\n', `${'a'.repeat(65)}@b`, null])
      expect(email(text)).toEqual(['technical_contact.email must be an email address of at most 254 characters'])
  })

  test('accepts whole basis points from 0 to 5000', () => {
    for (const field of ['margin_bps', 'fee_bps']) {
      for (const value of [0, 5000]) expect(refusal({ [field]: value })).toEqual([])
      for (const value of [-1, 5001, 1.5, '150', Infinity])
        expect(refusal({ [field]: value })).toEqual([`${field} must be a whole number from 0 to 5000`])
    }
  })

  test('takes a fixed fee of zero or more, and a cap above zero', () => {
    for (const fee of ['0', '0.000000', '0.000001']) expect(refusal({ fee_fixed: fee })).toEqual([])
    for (const fee of ['-1', '0.0000001', '', 0]) expect(refusal({ fee_fixed: fee })).toHaveLength(1)
    for (const cap of ['0.01', '999999999999.99']) expect(refusal({ payment_cap_bob: cap })).toEqual([])
    for (const cap of ['0', '0.00', '1.001', 1]) expect(refusal({ payment_cap_bob: cap })).toHaveLength(1)
  })
})

describe('changing a tenant', () => {
  test.each([
    [{ margin_bps: 0 }, { pricing: { marginBps: 0 } }],
    [{ payment_cap_bob: '1' }, { pricing: { paymentCap: bob(100n) } }],
    [{ daily_limit_usdt: '0.5' }, { dailyLimits: { amount: usdt(500_000n) } }],
    [{ daily_limit_usdt: null, daily_limit_count: null }, { dailyLimits: { amount: null, count: null } }],
    [{ daily_limit_count: 1 }, { dailyLimits: { count: 1 } }],
    [{ legal_name: 'Ejemplo S.A.' }, { legalName: 'Ejemplo S.A.' }],
    [{ technical_contact: contact }, { technicalContact: contact }],
  ])('%j', (patch, value) => {
    const note = { reason: 'They grow.', evidence: null }
    expect(parseTenantPatch(patch)).toEqual({ ok: true, value: { change: value } })
    const reasoned = parseTenantPatch({ ...patch, reason: 'They grow.' })
    expect(reasoned).toEqual({ ok: true, value: { change: value, note } })
  })

  test('requires at least one member, and refuses others', () => {
    const names =
      'legal_name, technical_contact, margin_bps, fee_bps, fee_fixed, payment_cap_bob, daily_limit_usdt, daily_limit_count'
    for (const empty of [{}, { reason: 'They grow.' }])
      expect(issuesOf(parseTenantPatch(empty))).toEqual([`body must have at least one of ${names}`])
    expect(issuesOf(parseTenantPatch({ status: 'active' }))).toEqual([
      `status is not allowed here; allowed are ${names}, reason, evidence`,
    ])
  })

  test('takes a whole contact, and limits above zero', () => {
    for (const patch of [
      { technical_contact: { name: 'Ana' } },
      { technical_contact: null },
      { legal_name: null },
      { daily_limit_usdt: '0' },
      { daily_limit_usdt: 1 },
      { daily_limit_count: 0 },
      { daily_limit_count: 1.5 },
      { daily_limit_count: '1' },
    ])
      expect(issuesOf(parseTenantPatch(patch))).toHaveLength(1)
  })
})

const example: TenantRecord = {
  id: 'ten_01KAGZ8M88000000000000000A',
  legalName: 'Ejemplo S.R.L.',
  technicalContact: contact,
  status: 'active',
  pricing: { marginBps: 150, feeBps: 50, feeFixed: usdt(100_000n), paymentCap: bob(50_000_00n) },
  dailyLimits: { amount: usdt(1_000_000_000n), count: null },
  usedToday: { amount: usdt(10_203_353n), count: 1 },
  createdAt: new Date('2026-11-20T15:04:05.006Z'),
  revision: 3,
}

test('a tenant is shown with its pricing, limits and use', () => {
  expect(tenantToJson(example)).toEqual({
    id: 'ten_01KAGZ8M88000000000000000A',
    legal_name: 'Ejemplo S.R.L.',
    technical_contact: contact,
    status: 'active',
    suspension: null,
    margin_bps: 150,
    fee_bps: 50,
    fee_fixed: '0.100000',
    earns_nothing: false,
    payment_cap_bob: '50000.00',
    daily_limit_usdt: '1000.000000',
    daily_limit_count: null,
    used_today: { amount: '10.203353', count: 1 },
    created_at: '2026-11-20T15:04:05.006Z',
  })
})

test('a tenant without margin and fees earns nothing, and a suspension is shown with its cause', () => {
  const free = { marginBps: 0, feeBps: 0, feeFixed: usdt(0n), paymentCap: bob(1n) }
  const earns = (pricing: Partial<TenantRecord['pricing']>) =>
    tenantToJson({ ...example, pricing: { ...free, ...pricing } }).earns_nothing
  expect([{}, { marginBps: 1 }, { feeBps: 1 }, { feeFixed: usdt(1n) }].map(earns)).toEqual([true, false, false, false])
  const suspension = { cause: 'fraud', reason: 'x', evidence: null, at: new Date('2026-11-20T15:04:05.006Z') } as const
  expect(tenantToJson({ ...example, status: 'suspended', suspension }).suspension).toEqual({
    ...suspension,
    at: '2026-11-20T15:04:05.006Z',
  })
})

test('a suspension has a reason, and `other` as its cause unless it says one', () => {
  expect(parseSuspension({ reason: 'x' })).toEqual({ ok: true, value: { cause: 'other', reason: 'x', evidence: null } })
  expect(issuesOf(parseSuspension({ cause: 'holiday' }))).toHaveLength(2)
  expect(issuesOf(parseResumption({}))).toHaveLength(1)
})

test('every tenant satisfies its schema', () => {
  fc.assert(
    fc.property(anyTenant, (any) => {
      const json = tenantToJson({ ...any, usedToday: example.usedToday })
      expect(tenant.parse(json)).toEqual(json)
    }),
  )
})

test('an operator’s list is paged like a tenant’s, and its cursors are valid for it alone', () => {
  const first = parseOperatorList('tenants', 'limit=100')
  if (!first.ok) throw new Error('it is a list')
  const position = { createdAt: example.createdAt, id: example.id }
  const cursor = encodeCursor(position, first.value.scope)
  const next = parseOperatorList('tenants', `cursor=${cursor}`)
  expect(next).toMatchObject({ ok: true, value: { query: { limit: 50, after: position } } })
  expect(issuesOf(parseOperatorList('api_keys', `cursor=${cursor}`))).toEqual([
    'cursor must be the next_cursor of the same list with the same filters',
  ])
  expect(issuesOf(parseOperatorList('tenants', 'limit=0&status=active'))).toHaveLength(2)
})

test('a new tenant has the daily limits and the contact that its request names', () => {
  expect(parseTenantRequest({ ...body, daily_limit_usdt: '10', daily_limit_count: 7 })).toEqual({
    ok: true,
    value: {
      legalName: 'Ejemplo S.R.L.',
      technicalContact: contact,
      dailyLimits: { amount: usdt(10_000_000n), count: 7 },
    },
  })
  for (const count of [1, 1_000_000_000]) expect(refusal({ daily_limit_count: count })).toEqual([])
  expect(refusal({ daily_limit_count: 1_000_000_001 })).toEqual([
    'daily_limit_count must be a whole number from 1 to 1000000000',
  ])
})

test('a contact has a name of 1 to 200 characters, an address of these lengths, and no more', () => {
  const refusalOf = (changes: object) => refusal({ technical_contact: { ...contact, ...changes } })
  expect(refusalOf({ name: 'x'.repeat(200) })).toEqual([])
  for (const name of ['', 'x'.repeat(201)]) expect(refusalOf({ name })).toHaveLength(1)
  const [local, domain] = ['a'.repeat(64), 'b'.repeat(189)]
  expect(refusalOf({ email: `${local}@${domain}` })).toEqual([])
  const bad = [`${local}a@b`, `a@${domain}b`, ` a@b`, `a@b `, 'a\u0001@b', 'a@b\u0001', 'a@\uD800']
  for (const email of bad) expect(refusalOf({ email })).toHaveLength(1)
  expect(refusalOf({ phone: '1' })).toEqual(['technical_contact.phone is not allowed here; allowed are name, email'])
})

test('the document says that a change has a member, and what a new tenant gets by default', () => {
  expect(tenantPatch.meta()).toMatchObject({ minProperties: 1 })
  expect(tenantRequest.meta()?.description).toBe(
    'What is left out: margin `DEFAULT_MARGIN_BPS`, fee 0 bps and 0.000000 USDT, cap 50000.00 BOB, and no daily limits.',
  )
})
