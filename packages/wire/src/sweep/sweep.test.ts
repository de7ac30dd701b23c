import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { mediaOf, operationsOf } from '../document/document.fixture.ts'
import { operatorOpenApi } from '../document/operator.ts'
import * as example from '../openapi/example.ts'
import { sweepAddressToJson } from './sweep.ts'
import { sweepFile, type SweepFileJson } from './sweep-file.ts'

test('of an address whose sweeps took more than its deposits brought, nothing is expected', () => {
  const address = {
    tenantId: example.tenant.id,
    account: 'b2'.repeat(20),
    address: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
    index: 7,
    createdAt: example.at(0),
    received: usdt(2n),
    swept: usdt(1n),
    hasOpenReview: false,
    liveTransferId: null,
  }
  const expected = [1n, 2n, 3n].map((swept) => sweepAddressToJson({ ...address, swept: usdt(swept) }, 0n).expected)
  expect(expected).toEqual(['0.000001', '0.000000', '0.000000'])
})

test('the signer reads a file only if its transfers are a list, each with a whole transaction id', () => {
  const download = new Map(operationsOf(operatorOpenApi())).get('GET /operator/v1/sweep/batches/{id}/unsigned')
  const [shown] = Object.values(mediaOf(download?.responses['200']?.content)?.examples ?? {})
  const json = shown?.value as SweepFileJson
  const reads = (changed: object): boolean => sweepFile.safeParse({ ...json, ...changed }).success
  expect(reads({})).toBe(true)
  for (const list of ['', {}, { length: 0 }, null, undefined]) expect(reads({ transfers: list })).toBe(false)
  expect(reads({ format: 'quipu-sweep-v2' })).toBe(false)
  for (const tx_id of ['5E'.repeat(32), `0${'5e'.repeat(32)}`, '5e'.repeat(33), '5e', 'x'.repeat(64)])
    expect(reads({ transfers: json.transfers.map((each) => ({ ...each, tx_id })) })).toBe(false)
})

test('a batch shows TRX with six digits, in its transfers and in their sums', () => {
  const read = new Map(operationsOf(operatorOpenApi())).get('GET /operator/v1/sweep/batches/{id}')
  const [shown] = Object.values(mediaOf(read?.responses['200']?.content)?.examples ?? {})
  const trx = { trx_needed: '16.937050', trx_missing: '16.937050' }
  expect(shown?.value).toMatchObject({
    amount: '250.000000',
    ...trx,
    transfers: [{ amount: '250.000000', derivation_index: 7, energy: 130285, fee_limit_trx: '16.937050', ...trx }],
  })
})
