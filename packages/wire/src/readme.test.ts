import type { PayoutRequest } from '@quipu/core'
import { expect, test } from 'vitest'
import { completed, payoutRequest } from './openapi/example.ts'
import { answer } from './readme.fixture.ts'

test('the program of the README answers a payout, and every issue of a malformed request', async () => {
  const requests: PayoutRequest[] = []
  const pay = async (request: PayoutRequest) => {
    requests.push(request)
    return completed
  }
  expect(await answer(payoutRequest, 'req_1', pay)).toMatchObject({
    status: 201,
    json: { id: completed.id, status: 'completed' },
  })
  expect(requests).toMatchObject([{ transactionId: payoutRequest.transaction_id }])

  const { transaction_id: _, ...incomplete } = payoutRequest
  const refused = await answer({ ...incomplete, amount: 1 }, 'req_2', pay)
  expect(refused.status).toBe(400)
  expect(refused.json).toMatchObject({
    error: { details: [{ field: 'transaction_id' }, { field: 'amount' }], request_id: 'req_2' },
  })
  expect(requests).toHaveLength(1)
})
