import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook } from '@quipu/core'
import type { AlertJson, DigestJson } from '@quipu/wire'
import { until } from '../harness/process.fixture.ts'

const secret = 'a-secret-of-the-gateway-'.repeat(2)
const runbookUrl = 'https://git.example/alerts.md'

/** A gateway of alerts on this machine, which accepts signed messages alone. */
export async function alertGateway() {
  const alerts: AlertJson[] = []
  const digests: DigestJson[] = []
  const keys = new Set<string>()
  const state = { answers: true, unsigned: 0, attempts: 0 }
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      state.attempts++
      if (!state.answers) return // It hangs.
      const signature = String(request.headers['x-service-signature'])
      const isSigned = verifyWebhook([secret], signature, body, new Date()) === null
      if (!isSigned) state.unsigned++
      const key = String(request.headers['idempotency-key'])
      const isNew = isSigned && !keys.has(key)
      keys.add(key)
      const json = JSON.parse(body.toString()) as AlertJson | DigestJson
      if (isNew && json.type === 'alert') alerts.push(json)
      if (isNew && json.type === 'digest') digests.push(json)
      response.writeHead(isSigned ? 202 : 401).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const find = (code: string, status: AlertJson['status'], subject?: string): AlertJson | undefined =>
    alerts.find((each) => each.code === code && each.status === status && (subject ?? each.subject) === each.subject)
  return Object.assign(state, {
    alerts,
    digests,
    /** The settings of a process that sends to it. */
    env: {
      OPERATOR_ALERT_URL: `http://127.0.0.1:${port}/alerts`,
      OPERATOR_ALERT_SECRET: secret,
      OPERATOR_RUNBOOK_URL: runbookUrl,
      DIGEST_HOUR: '0',
      DIGEST_TIMEZONE: 'UTC',
    },
    /** Waits for a message. */
    got: (code: string, status: AlertJson['status'], subject?: string): Promise<AlertJson> =>
      until(`the gateway gets ${code} ${status}`, () => find(code, status, subject)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
