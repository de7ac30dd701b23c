import type { TronDevnet } from '@quipu/simulators'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { askJson } from '../../ask-json.ts'
import { expectCreditedOnce, openDepositHarness, topUpAddressOf } from '../harness/deposit-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { operatorToken } from '../harness/tenant.fixture.ts'

type Verifier = AsyncDisposable & {
  readonly url: string
  /** Shows every block of the chain from now on. */
  catchUp(): void
}

/** A second provider of the chain, which has no block above the one that is solid now. */
async function stoppedVerifier(chain: TronDevnet): Promise<Verifier> {
  let newest = chain.head('solid').number
  const server = createServer((request, response) => {
    const answer = async (): Promise<string> => {
      const { url: path = '', method = 'GET' } = request
      const body = method === 'POST' ? ((await json(request)) as { num?: number }) : {}
      if ((body.num ?? 0) > newest) return '{}'
      const sent = { method, ...(method === 'POST' && { body: JSON.stringify(body) }) }
      return (await fetch(`${chain.url}${path}`, sent)).text()
    }
    answer().then(
      (text) => response.end(text),
      () => response.destroy(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    catchUp: () => void (newest = Infinity),
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

test('a large deposit waits, in sight, until the second provider shows it too', async () => {
  await using harness = await openDepositHarness()
  await using verifier = await stoppedVerifier(harness.chain)
  const { chain, sender } = harness
  const api = await harness.openApi()
  const to = await topUpAddressOf(api)
  const ask = async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${operatorToken}` }
    return (await askJson(api.operatorUrl, { method: 'GET', path: `/operator/v1${path}`, headers })).json
  }
  chain.transfer({ from: sender, to, value: 10_000_000_000n })
  chain.transfer({ from: sender, to, value: 9_999_999_999n })
  const { number } = chain.mine()
  harness.solidify()
  await harness.startWorker({ TRON_VERIFIER_URL: verifier.url, DEPOSIT_UNVERIFIED_TENANT_LIMIT: '10000' })

  const [, large] = await harness.untilDeposits(api, 'credited', 'pending')
  const problem = `the second provider does not have solid block ${number} yet`
  await until('the deposit says what it waits for', async () => {
    const { status, attempts } = (await ask(`/deposits/${large?.id}`)) as {
      status: string
      attempts: { problem: string | null } | null
    }
    expect(status).toBe('pending')
    return attempts?.problem === problem
  })
  await until('the backlog counts it', async () => {
    const { undecided_deposits } = (await ask('/backlog')) as { undecided_deposits: { count: number } }
    return undecided_deposits.count === 1
  })
  expect((await api.get('/v1/wallets')).json).toMatchObject({ total: '9999.999999' })

  verifier.catchUp()

  await harness.untilDeposits(api, 'credited', 'credited')
  await expectCreditedOnce(expect, harness, api)
})
