import { createHmac } from 'node:crypto'
import { bob } from '@quipu/core'
import { startQrNetwork } from '@quipu/simulators'
import { expect, onTestFinished, test } from 'vitest'
import { readQr, referenceOf } from './readme.fixture.ts'
import { httpSandboxQrIssuer } from './sandbox-qr-issuer.ts'

test('the program of the README reads a QR', async () => {
  const token = 'the token'
  const { url, stop } = await startQrNetwork({ token, callbackSecret: 'unused' })
  onTestFinished(() => stop())
  const issuer = httpSandboxQrIssuer({ url, token })
  onTestFinished(() => issuer.stop())
  const amount = bob(2500n)
  const qr = { amountMode: 'closed', amount, description: null, scenario: 'paid' } as const
  const { content } = await issuer.issue({ ...qr, merchantName: 'Tienda Sol' })

  const read = await readQr({ url, token }, content)
  expect(read).toMatchObject({ amount, merchant: { name: 'Tienda Sol' } })
  expect(await readQr({ url, token }, 'none')).toMatchObject({ type: 'refused_qr' })
})

test('the program of the README verifies callbacks', () => {
  const at = new Date()
  const callback = { reference: 'po_1', outcome: 'paid', occurred_at: at.toISOString() }
  const body = Buffer.from(JSON.stringify({ event_id: 'e1', ...callback }))
  const seconds = Math.floor(at.getTime() / 1000)
  const signed = createHmac('sha256', 'shared with the network').update(`${seconds}.`).update(body)
  const signature = `t=${seconds},v1=${signed.digest('hex')}`

  expect(referenceOf(signature, body)).toBe('po_1')
  expect(referenceOf(signature, Buffer.from('{}'))).toBeUndefined()
})
