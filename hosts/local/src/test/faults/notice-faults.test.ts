import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { TenantNoticeJson } from '@quipu/wire'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { openConsole } from './console.fixture.ts'
import { alertAfter, learnedFrom, printMeasured } from './faults.fixture.ts'

afterAll(printMeasured)

/** A mail gateway that answers once the test says so. */
async function mailGateway() {
  const received: TenantNoticeJson[] = []
  const open: ServerResponse[] = []
  const state = { answers: false }
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      received.push(body as TenantNoticeJson)
      if (state.answers) response.writeHead(202).end()
      else open.push(response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return Object.assign(state, { received, url: `http://127.0.0.1:${port}/notices` })
}

// The notice is sent again when the lease of the killed worker has ended, after 30 s.
test('a mail gateway that does not answer, and a worker killed while it sends', async () => {
  await using harness = await openPayoutHarness()
  const gateway = await mailGateway()
  const api = await harness.startApi({ NOTICES_BEHIND_SECONDS: '5' })
  const learned = learnedFrom(api.operatorUrl)
  const env = { TENANT_NOTICE_URL: gateway.url, TENANT_NOTICE_SECRET: 'a-secret-of-the-gateway-'.repeat(2) }
  const killed = await harness.startWorker(env)
  const hang = async () => {
    await until('a notice is under way', () => gateway.received.length === 1)
    await killed.kill()
  }
  // The notice was due before the worker started.
  const behind = { alert: 'NOTICES_BEHIND', subject: 'notices', isStanding: true }
  await alertAfter('a mail gateway that does not answer', hang, api, behind)
  await expect.poll(learned.faults).toContain('NOTICES_BEHIND')
  await using open = await openConsole(api.operatorUrl, '/')
  await learned.untilMetric('quipu_notices_waiting', (value) => value === 1)
  await learned.untilMetric('quipu_faults_open{code="NOTICES_BEHIND"}', (value) => value > 0)
  await open.shows('NOTICES_BEHIND')
  await learned.untilMetric('quipu_notices_waiting_oldest_seconds', (value) => value > 5)

  gateway.answers = true
  await harness.startWorker(env)
  await api.untilOutput(/"fault":"NOTICES_BEHIND".*has ended/)
  expect(gateway.received).toHaveLength(2)
  const [lost, again] = gateway.received
  expect(again).toEqual(lost)
  expect(again).toMatchObject({
    type: 'api_key.issued',
    recipients: [{ name: 'Ana Quispe', email: 'ana@example.com' }],
    api_key: { name: 'test', prefix: 'qpu_test_', replaces: null },
  })
})
