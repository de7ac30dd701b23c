import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anySend } from '../deposit/funding.fixture.ts'
import { faucetSendToJson } from './faucet.ts'
import { byWord, expectFilters, issuesOf } from '../list/query.fixture.ts'
import {
  operatorFaucetSendPage,
  operatorFaucetSendToJson,
  parseOperatorFaucetSendList,
} from './operator-faucet-send.ts'

const tenantId = 'ten_01K6HZ8M00000000000000000A'
const txHash = '5e'.repeat(32)

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

test('the list takes a tenant, a status, an address and a transaction, and binds its cursors to them', () => {
  const address = 'x'.repeat(64)
  const filters = {
    '': {},
    [`tenant_id=${tenantId}`]: { tenantId },
    ...byWord('status', ['submitted', 'confirmed', 'failed']),
    [`address=${address}`]: { address },
    [`tx_hash=${txHash}`]: { txHash },
  }
  expectFilters(parseOperatorFaucetSendList, filters, '019aa1f4-54f0-7000-8000-00000000000b')
  for (const search of ['address=', `address=${address}x`])
    expect(issuesOf(parseOperatorFaucetSendList(search))).toHaveLength(1)
})

test.each([`0${txHash}`, `${txHash}0`, '5E'.repeat(32), 'x'.repeat(64), '5', ''])(
  'a transaction %j is refused',
  (text) => {
    expect(issuesOf(parseOperatorFaucetSendList(`tx_hash=${text}`))).toEqual([
      'tx_hash must be 64 lowercase hexadecimal digits',
    ])
  },
)
