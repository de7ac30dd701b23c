import { expect, test } from 'vitest'
import { request, startFixture, token } from './qr-network/qr-network.fixture.ts'

const authorization = `Bearer ${token}`

test('without the bearer token every path is 401, also unknown ones', async () => {
  const { network } = await startFixture()
  for (const path of ['/v1/liquidity', '/v1/nothing'])
    for (const headers of [{}, { authorization: 'Bearer other' }, { authorization: token }]) {
      const reply = await request(network.url + path, 'GET', undefined, headers)
      expect([reply.status, reply.body['code']]).toEqual([401, 'UNAUTHORIZED'])
    }
})

test.each([
  ['GET', '/v1/nothing', 404, 'NOT_FOUND'],
  ['GET', '/v1/payments/po_1/', 404, 'NOT_FOUND'],
  ['DELETE', '/v1/payments/po_1', 405, 'METHOD_NOT_ALLOWED'],
])('%s %s is %i %s', async (method, path, status, code) => {
  const { ask } = await startFixture()
  const reply = await ask(method, path)
  expect([reply.status, reply.body['code']]).toEqual([status, code])
})

test('a body that is not JSON is 400, one over 64 KiB is 413', async () => {
  const { network } = await startFixture()
  const url = `${network.url}/v1/qr/read`
  const broken = await request(url, 'POST', '{"content":', { authorization })
  const big = await request(url, 'POST', ' '.repeat(65_537), { authorization })
  expect([broken.status, big.status]).toEqual([400, 413])
})
