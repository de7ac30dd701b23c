import { randomBytes } from 'node:crypto'
import { sha256 } from '@quipu/core/adapter'
import { addressDifference, credentialOf, testSignInKeys } from '@quipu/contracts'
import { usedCode } from '@quipu/core/operator'
import { operatorOpenApi } from '@quipu/wire'
import { schemaFaults, type SchemaDocument } from '@quipu/wire/testing'
import { idSource } from '@quipu/core'
import { expect, test } from 'vitest'
import { operatorToken } from '../harness/api.fixture.ts'
import { csvRecords, flattened, readCsv } from '../harness/csv.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { settlement, wronglyPaid } from '../harness/hanging-payout.fixture.ts'
import { depositMaker } from '../harness/deposits.fixture.ts'
import { codeAt, secretOf } from '../harness/second-factor.fixture.ts'
import { sendRequest, type Json } from '../harness/http-client.fixture.ts'
import { viewedPaths, viewedQueries, viewedRecords } from '../harness/viewed-records.fixture.ts'

const api = useTestApi('each', { OPERATOR_SIGN_IN_KEY: '07'.repeat(32) })

const tenants = '/operator/v1/tenants'
const deposits = '/operator/v1/deposits'
const runs = '/operator/v1/reconciliation-runs'
const proposals = '/operator/v1/proposals'
const sweep = '/operator/v1/sweep'
const batches = `${sweep}/batches`
const differences = '/operator/v1/differences'
const endpoints = '/operator/v1/webhook-endpoints'
const contact = { name: 'Ana Quispe', email: 'ana@example.com' }
const ejemplo = { legal_name: 'Ejemplo S.R.L.', technical_contact: contact }
const key = { name: 'x', scopes: ['payouts:read'] }
const operatorTokens = '/operator/v1/operator-tokens'
const newToken = {
  person: 'carla',
  label: 'laptop',
  role: 'viewer',
  reason: 'Joined.',
  expires_at: '2026-06-01T00:00:00.000Z',
}

const codeNow = (uri: string) => ({ code: codeAt(secretOf(uri), api) })

/** The codes of a 404, which the document states. */
const codesOf404 = ({ responses }: Json): string[] => Object.keys(responses['404'].content['application/json'].examples)

/** Gives a person a second factor. */
async function confirmedFactor(person: string): Promise<void> {
  const [by, at] = [credentialOf(person), api.clock.now()]
  await api.stores.secondFactors.enrol(by, '1.secret', at)
  const used = usedCode(testSignInKeys, person, by.tokenHash, 1)
  expect(await api.stores.secondFactors.confirm(by, used, at)).toBe('committed')
}

test('every path of the document answers as the document says', async () => {
  const document = operatorOpenApi() as unknown as SchemaDocument & { paths: Record<string, Record<string, Json>> }
  expect((await sendRequest(`${api.operatorUrl}/operator/v1/openapi.json`, 'GET')).json).toEqual(
    JSON.parse(JSON.stringify(document)),
  )
  const tenant = await api.tenant()
  const { id } = tenant
  await tenant.get('/v1/wallets')
  const makeDeposit = depositMaker(api.stores, api.clock.now)
  const inReview = { tenantId: id, value: 500_000n }
  const adjustment = { direction: 'in', amount: '5.00', reason: 'Fee charged twice.' }
  const movement = {
    kind: 'sale',
    usdt: '10000.00',
    bob: '99500.00',
    at: api.clock.now().toISOString(),
    reason: 'BOB for next week.',
    evidence: settlement.evidence,
  }
  const bodies: Record<string, unknown> = {
    [`post ${tenants}`]: ejemplo,
    [`post ${operatorTokens}`]: { ...newToken, hash: sha256('one') },
    [`patch ${tenants}/{id}`]: { fee_bps: 1 },
    [`post ${tenants}/{id}/suspend`]: { reason: 'Unpaid.' },
    [`post ${tenants}/{id}/resume`]: { reason: 'Paid.' },
    'post /operator/v1/payouts/stop': { reason: 'It pays twice.' },
    'post /operator/v1/payouts/start': { reason: 'Repaired.' },
    [`post ${tenants}/{id}/api-keys`]: key,
    [`post ${tenants}/{id}/adjustments`]: adjustment,
    [`post ${tenants}/{id}/deposits/close`]: {
      deposit_ids: [(await makeDeposit(inReview)).id],
      reason: 'Too small to credit.',
    },
    'post /operator/v1/payouts/{id}/settle': { ...settlement, contradicts_network: true },
    'post /operator/v1/screening-cases/{id}/decide': {
      decision: 'cleared',
      reason: 'Another Ana.',
      evidence: settlement.evidence,
    },
    'post /operator/v1/payouts/{id}/refund': { reason: 'Returned by the bank.' },
    'patch /operator/v1/api-keys/{id}': { allowed_addresses: ['192.0.2.1'] },
    [`post ${deposits}/{id}/close`]: { reason: 'Returned to the sender.' },
    [`post ${deposits}/{id}/return`]: {
      to_address: 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA',
      tx_hash: 'cd'.repeat(32),
      reason: 'Its sender is unknown.',
      evidence: settlement.evidence,
    },
    [`post ${deposits}/{id}/credit`]: { reason: 'The sender is known.' },
    [`post ${differences}/{id}/close`]: { reason: 'Explained.' },
    [`post ${runs}`]: { check: 'chain' },
    [`post ${batches}`]: { threshold: '1.00' },
    [`post ${batches}/{id}/signed`]: {
      transfers: [{ id: 'swp_01K6HZ8M00000000000000000A', tx_id: '5e'.repeat(32), signature: 'ab'.repeat(65) }],
    },
    'post /operator/v1/network/confirm': { identity: 'https://new.example', reason: 'It moved.' },
    'post /operator/v1/cases/{id}/notes': { note: 'The bank answers on Monday.' },
    [`post ${proposals}/{id}/reject`]: { reason: 'Of another payout.' },
    'post /operator/v1/treasury': { ...movement, reference: 'second' },
    'post /operator/v1/treasury/{id}/reverse': { reason: 'Typed twice.', evidence: settlement.evidence },
    'post /operator/v1/found-secrets': { hash: 'ab'.repeat(32) },
    'post /operator/v1/rates/pause': { reason: 'The sources are wrong.' },
    [`post ${endpoints}/{id}/pause`]: { reason: 'Its host asks us to stop.' },
  }
  /** A proposal of another operator, or one's own to withdraw, or one that is approved. */
  const proposalFor = async (path: string): Promise<string> => {
    const proposer = ['approve', 'reject', 'execute'].some((end) => path.endsWith(end)) ? 'operators' : undefined
    const token = { token: proposer ?? operatorToken, body: adjustment }
    const url = `${api.operatorUrl}${tenants}/${id}/adjustments`
    const proposed = await sendRequest(url, 'POST', token)
    if (path.endsWith('execute')) await api.operator('POST', `${proposals}/${proposed.json.id}/approve`)
    return proposed.json.id
  }
  /** A batch of an address with a deposit, or only the deposit where no batch is named. */
  const sweepFor = async (path: string): Promise<string> => {
    const owner = await api.tenant()
    await owner.get('/v1/wallets')
    await makeDeposit({ tenantId: owner.id, value: 5_000_000n })
    const [topUp] = await api.stores.addresses.list(owner.id)
    api.sweepChain.give(topUp?.account ?? '', 5_000_000n)
    if (!path.includes('{id}')) return ''
    const planned = await api.operator('POST', batches, { threshold: '1.00' })
    return planned.json.batch.id
  }
  const paid = await tenant.post('/v1/payouts', await tenant.order())
  const records = await viewedRecords(api, tenant)
  await api.deliver()
  const idFor = async (path: string): Promise<string> => {
    const viewed = path.startsWith(endpoints) ? records.endpoint : viewedPaths(records)[path]
    if (viewed !== undefined) return viewed
    if (path.startsWith(sweep)) return sweepFor(path)
    if (path === '/operator/v1/payouts/start') return ''
    if (path.startsWith(tenants)) return id
    if (path.startsWith(operatorTokens)) {
      const body = { ...newToken, hash: sha256(path) }
      return (await api.operator('POST', operatorTokens, body)).json.id
    }
    if (path.startsWith(proposals)) return proposalFor(path)
    if (path.startsWith('/operator/v1/cases/')) {
      const { id: review } = await makeDeposit(inReview)
      if (path.endsWith('/release')) await api.operator('POST', `/operator/v1/cases/${review}/take`)
      return review
    }
    if (path.startsWith('/operator/v1/sessions/')) {
      const session = { token: 'operators' }
      const headers = { 'Sec-Fetch-Site': 'same-origin' }
      await sendRequest(`${api.operatorUrl}/operator/v1/session`, 'POST', { body: session, headers })
      return (await api.operator('GET', '/operator/v1/sessions')).json.data[0].id
    }
    if (path.startsWith(differences)) {
      const found = await addressDifference({ ids: idSource(randomBytes), ...api.stores }, id)
      await api.stores.differences.record([found], api.clock.now())
      return (await api.stores.differences.listChanged(0n, new Date(), 1))[0]?.id ?? ''
    }
    if (path.startsWith('/operator/v1/treasury'))
      return (
        await api.operator('POST', '/operator/v1/treasury', { ...movement, reference: randomBytes(4).toString('hex') })
      ).json.id
    if (path.startsWith('/operator/v1/screening-cases')) {
      const about = {
        kind: 'merchant',
        outcome: 'listed',
        subject: '1014 ANA',
        name: 'Ana',
        reason: 'x',
        hits: 1,
      } as const
      const hit = { ...about, list: 'own', version: '1', tenantId: id, reference: null }
      return (await api.stores.screeningCases.hit(idSource(randomBytes).next('scr', api.clock.now()), hit)).found.id
    }
    if (path.endsWith('/refund')) return paid.json.id
    if (path.startsWith('/operator/v1/payouts/')) {
      const hanging = await wronglyPaid(api, tenant)
      await api.operator('POST', `/operator/v1/payouts/${hanging.id}/query`)
      return hanging.id
    }
    if (path.startsWith(runs)) return (await api.operator('POST', runs, { check: 'chain' })).json.id
    if (path.endsWith('/screen')) return (await makeDeposit({ ...inReview, facts: { screening: 'unanswered' } })).id
    if (path.startsWith(deposits)) return (await makeDeposit(inReview)).id
    return (await api.operator('POST', `${tenants}/${id}/api-keys`, key)).json.id
  }
  let uri = ''
  await confirmedFactor('ben')
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const pathOf = (of: string): string => {
        const named = path.replace('{id}', of).replace('{delivery_id}', records.delivery)
        return named.replace('{period}', '2026-03-02').replace('{person}', 'ben') + (viewedQueries(id)[path] ?? '')
      }
      const own = await idFor(path)
      const at = pathOf(own)
      const body = path.endsWith('/second-factor/confirm') ? codeNow(uri) : bodies[`${method} ${path}`]
      for (const unknown of path.includes('{id}') ? [own.replace(/.{4}$/, '0000'), 'x', '%00'] : []) {
        const missing = await api.operator(method.toUpperCase(), pathOf(unknown), body)
        expect(missing.status, `${method} ${pathOf(unknown)}`).toBe(404)
        expect(codesOf404(operation)).toContain(missing.code)
      }
      const reply = await api.operator(method.toUpperCase(), at, body)
      if (path === '/operator/v1/alerts/test') expect(reply.code).toBe('ALERT_GATEWAY_NOT_SET')
      else expect(reply.status, `${method} ${path}`).toBeLessThan(300)
      if (path === '/operator/v1/second-factor' && method === 'post') uri = reply.json.uri
      const content = operation.responses[String(reply.status)].content
      const schema = content?.['application/json']?.schema
      if (!schema) continue
      expect(schemaFaults(schema, reply.json, document), `${method} ${path}`).toEqual([])
      if (!('text/csv' in content) || path.endsWith('{period}')) continue
      const csv = await (await readCsv(api, at)).text()
      const rows: Json[] = reply.json.data ?? reply.json.rows
      expect(csvRecords(csv).slice(0, rows.length), `${path} as CSV`).toEqual(rows.map((row) => flattened(row)))
    }
  }
})
