import { bob, usdt } from '@quipu/core'
import type { TenantRecord } from '@quipu/core/operator'
import { describe, expect, test } from 'vitest'
import { issuesOf } from '../list/query.fixture.ts'
import { parseResumption, parseSuspension, parseTenantPatch, parseTenantRequest, tenantToJson } from './tenant.ts'

const contact = { name: 'Ana Quispe', email: 'ana@example.com' }
const body = { legal_name: 'Ejemplo S.R.L.', technical_contact: contact }

const refusal = (changes: object) => issuesOf(parseTenantRequest({ ...body, ...changes }))

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
    const email = (text: unknown) => refusal({ technical_contact: { ...contact, email: text } })
    for (const text of ['a@b', 'a+b@example.com', 'ñ@ñandú.bo']) expect(email(text)).toEqual([])
    for (const text of ['', 'a', 'a@', '@b', 'a b@c', 'a@b@c', 'a@b\n', `${'a'.repeat(65)}@b`, null])
      expect(email(text)).toEqual(['technical_contact.email must be an email address of at most 254 characters'])
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

  test('requires at least one member', () => {
    const names =
      'legal_name, technical_contact, margin_bps, fee_bps, fee_fixed, payment_cap_bob, daily_limit_usdt, daily_limit_count'
    for (const empty of [{}, { reason: 'They grow.' }])
      expect(issuesOf(parseTenantPatch(empty))).toEqual([`body must have at least one of ${names}`])
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

test('a new tenant has the daily limits and the contact that its request names', () => {
  expect(parseTenantRequest({ ...body, daily_limit_usdt: '10', daily_limit_count: 7 })).toEqual({
    ok: true,
    value: {
      legalName: 'Ejemplo S.R.L.',
      technicalContact: contact,
      dailyLimits: { amount: usdt(10_000_000n), count: 7 },
    },
  })
})
