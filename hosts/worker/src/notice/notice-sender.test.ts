import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { verifyWebhook } from '@quipu/core'
import type { TenantNotice } from '@quipu/core/operator'
import { httpWebhookSender, signedGateway } from '@quipu/webhook-http'
import { expect, onTestFinished, test } from 'vitest'
import { gatewayNoticeSender, logNoticeSender } from './notice-sender.ts'

const at = new Date('2026-11-20T10:00:00.000Z')
const secret = 'a secret of the mail gateway, and of nobody else'
const notice: TenantNotice = {
  id: 'ntc_42',
  type: 'api_key.rotated',
  tenantId: 'ten_1',
  occurredAt: at,
  recipients: [{ name: 'Eva', email: 'eva@tenant.example' }],
  key: {
    id: 'key_1',
    name: 'tills',
    prefix: 'qpu_live_',
    lastFour: 'c0de',
    scopes: ['payouts:write'],
    expiresAt: at,
    allowedAddresses: ['192.0.2.10'],
    replaces: null,
    replacedBy: 'key_2',
  },
}
const json = {
  id: 'ntc_42',
  type: 'api_key.rotated',
  tenant_id: 'ten_1',
  occurred_at: at.toISOString(),
  recipients: [{ name: 'Eva', email: 'eva@tenant.example' }],
  api_key: {
    id: 'key_1',
    name: 'tills',
    prefix: 'qpu_live_',
    last_four: 'c0de',
    scopes: ['payouts:write'],
    expires_at: at.toISOString(),
    allowed_addresses: ['192.0.2.10'],
    replaces: null,
    replaced_by: 'key_2',
  },
}

/** A gateway on this machine that answers with the status, and a sender to it. */
async function gateway(status: number) {
  const requests: { headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ headers: request.headers, body })
      response.writeHead(status).end()
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const http = httpWebhookSender({ allowPrivate: true })
  const url = `http://127.0.0.1:${port}/notices`
  const settings = { name: 'the mail gateway', url, secret, headerPrefix: 'X-Service-' }
  const stop = async (): Promise<void> => {
    await http.stop()
    await new Promise((resolve) => server.close(resolve))
  }
  return { requests, sender: gatewayNoticeSender(signedGateway(http, settings, () => at)), server, stop }
}

test('the gateway receives the notice as signed JSON, with its id as the idempotency key', async () => {
  const { requests, sender, stop } = await gateway(202)
  onTestFinished(stop)
  expect(await sender.send(notice)).toEqual({ type: 'accepted' })
  const [{ headers, body } = { headers: {}, body: '' }] = requests
  expect(JSON.parse(body)).toEqual(json)
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'idempotency-key': 'ntc_42' })
  const signature = String(headers['x-service-signature'])
  expect(verifyWebhook([secret], signature, Buffer.from(body), at)).toBeNull()
})

test.each([
  [422, { type: 'refused', detail: 'the mail gateway answered 422 (STATUS)' }],
  [400, { type: 'failed', detail: 'the mail gateway answered 400 (STATUS)' }],
  [302, { type: 'failed', detail: 'the mail gateway answered 302 (REDIRECT)' }],
  [500, { type: 'failed', detail: 'the mail gateway answered 500 (STATUS)' }],
])('an answer of %s is a result', async (status, result) => {
  const { sender, stop } = await gateway(status)
  onTestFinished(stop)
  expect(await sender.send(notice)).toEqual(result)
})

test('a gateway that is gone is a failure', async () => {
  const { sender, server, stop } = await gateway(200)
  await new Promise((resolve) => server.close(resolve))
  expect(await sender.send(notice)).toEqual({
    type: 'failed',
    detail: 'the mail gateway answered nothing (CONNECTION_REFUSED)',
  })
  await stop()
})

test('without a gateway each notice is a line of the log, which names no person', async () => {
  const lines: object[] = []
  const sender = logNoticeSender((fields, message) => void lines.push({ ...fields, message }))
  expect(await sender.send(notice)).toEqual({ type: 'accepted' })
  const { recipients, ...rest } = json
  expect(lines).toEqual([
    {
      notice: { ...rest, recipient_count: recipients.length },
      message: 'notice to a technical contact was not sent; set TENANT_NOTICE_URL to have the next ones sent',
    },
  ])
})
