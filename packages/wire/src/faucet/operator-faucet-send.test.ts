import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anySend } from '../deposit/funding.fixture.ts'
import { faucetSendToJson } from './faucet.ts'
import { expectBoundCursors, issuesOf, queryOf } from '../list/query.fixture.ts'
import {
  operatorFaucetSendPage,
  operatorFaucetSendToJson,
  parseOperatorFaucetSendList,
} from './operator-faucet-send.ts'

const tenantId = 'ten_01K6HZ8M00000000000000000A'
const txHash = '5e'.repeat(32)
const list = (search: string) => queryOf(parseOperatorFaucetSendList, search)

test('an operator sees a send as its tenant does, with the tenant after the id', () => {
  fc.assert(
    fc.property(anySend, (send) => {
      const json = operatorFaucetSendToJson(send)
      const { id, ...others } = faucetSendToJson(send)
      expect(json).toEqual({ id, tenant_id: send.tenantId, ...others })
      expect(Object.keys(json).slice(0, 2)).toEqual(['id', 'tenant_id'])
      const page = { data: [json], next_cursor: null }
      expect(operatorFaucetSendPage.parse(page)).toEqual(page)
    }),
  )
})

test('the list takes a tenant, a status, an address and a transaction', () => {
  expect(list('')).toEqual({ limit: 50 })
  expect(list(`tenant_id=${tenantId}`)).toEqual({ limit: 50, tenantId })
  for (const status of ['submitted', 'confirmed', 'failed'])
    expect(list(`status=${status}`)).toEqual({ limit: 50, status })
  expect(list(`address=${'x'.repeat(64)}`)).toEqual({ limit: 50, address: 'x'.repeat(64) })
  expect(list(`tx_hash=${txHash}`)).toEqual({ limit: 50, txHash })
  for (const search of ['tenant_id=1', 'status=sent', 'address=', `address=${'x'.repeat(65)}`])
    expect(issuesOf(parseOperatorFaucetSendList(search))).toHaveLength(1)
  expect(issuesOf(parseOperatorFaucetSendList('day=1'))).toEqual([
    'day is not allowed in the query; allowed are tenant_id, status, address, tx_hash, limit, cursor',
  ])
})

test.each([`0${txHash}`, `${txHash}0`, '5E'.repeat(32), 'x'.repeat(64), '5', ''])(
  'a transaction %j is refused',
  (text) => {
    expect(issuesOf(parseOperatorFaucetSendList(`tx_hash=${text}`))).toEqual([
      'tx_hash must be 64 lowercase hexadecimal digits',
    ])
  },
)

test('a cursor is bound to the filters', () => {
  const searches = ['', `tenant_id=${tenantId}`, 'status=failed', 'address=T', `tx_hash=${txHash}`]
  expectBoundCursors(parseOperatorFaucetSendList, searches, '019aa1f4-54f0-7000-8000-00000000000b')
})
