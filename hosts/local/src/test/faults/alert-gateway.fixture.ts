import { buffer } from 'node:stream/consumers'
import { verifyWebhook } from '@quipu/core'
import type { AlertJson, DigestJson } from '@quipu/wire'
import { listener } from '../harness/listener.fixture.ts'
import { until } from '../harness/process.fixture.ts'

const secret = 'a-secret-of-the-gateway-'.repeat(2)
const runbookUrl = 'https://git.example/alerts.md'

/** A gateway of alerts on this machine, which accepts signed messages alone. */
export async function alertGateway() {
  const alerts: AlertJson[] = []
  const digests: DigestJson[] = []
  const keys = new Set<string>()
  const state = { answers: true, unsigned: 0, attempts: 0 }
  const server = await listener((request, response) => {
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
  })
  const find = (code: string, status: AlertJson['status'], subject?: string): AlertJson | undefined =>
    alerts.find((each) => each.code === code && each.status === status && (subject ?? each.subject) === each.subject)
  return Object.assign(state, {
    alerts,
    digests,
    /** The settings of a process that sends to it. */
    env: {
      OPERATOR_ALERT_URL: `${server.url}/alerts`,
      OPERATOR_ALERT_SECRET: secret,
      OPERATOR_RUNBOOK_URL: runbookUrl,
      DIGEST_HOUR: '0',
      DIGEST_TIMEZONE: 'UTC',
    },
    /** Waits for a message. */
    got: (code: string, status: AlertJson['status'], subject?: string): Promise<AlertJson> =>
      until(`the gateway gets ${code} ${status}`, () => find(code, status, subject)),
    [Symbol.asyncDispose]: server.stop,
  })
}
