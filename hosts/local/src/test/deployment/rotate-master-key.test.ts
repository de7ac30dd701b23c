import { expect, test } from 'vitest'
import { askJson } from '../../ask-json.ts'
import { until } from '../harness/process.fixture.ts'
import { operatorToken } from '../harness/tenant.fixture.ts'
import { openWebhookHarness } from '../harness/webhook-harness.fixture.ts'

const [first, second] = [`1:${'0f'.repeat(32)}`, `2:${'b7'.repeat(32)}`]

type Use = { readonly webhook_secrets: readonly { readonly id: string; readonly values: number }[] }

test('a rotation of WEBHOOK_SECRET_KEY, process by process: every event arrives once, signed', async () => {
  await using harness = await openWebhookHarness()
  const rings = [first, `${first},${second}`, `${second},${first}`, second]
  let sent = 0
  let before: { kill(): Promise<void> }[] = []
  for (const ring of rings) {
    const more = { WEBHOOK_SECRET_KEY: ring }
    const api = await harness.startApi(more)
    if (sent === 0) await harness.register(api)
    // The processes of the former step still run.
    await harness.emitEvents(api, 3)
    const worker = await harness.startWorker(more)
    await harness.emitEvents(api, 3)
    sent += 6
    await harness.receiver.untilArrived(sent)
    for (const program of before) await program.kill()
    before = [api, worker]
    if (ring.startsWith('2:')) await untilRenewed(api.operatorUrl)
  }
  expect(harness.receiver.rejections).toEqual([])
  const times = Array.from(harness.receiver.arrivals.values(), ({ length }) => length)
  expect(times).toEqual(Array.from({ length: sent }, () => 1))
})

/** Waits until every secret is encrypted by the second key. */
const untilRenewed = (operatorUrl: string): Promise<unknown> =>
  until('the older key has made no secret', async () => {
    const headers = { authorization: `Bearer ${operatorToken}` }
    const request = { method: 'GET', path: '/operator/v1/key-use', headers }
    const { webhook_secrets: keys } = (await askJson(operatorUrl, request)).json as Use
    return keys.length === 1 && keys[0]?.id === '2' && keys[0].values === 1
  })
