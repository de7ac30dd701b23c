import { verifyWebhook } from '@quipu/core'
import { expect, test } from 'vitest'
import { publicOpenApi } from '../document/public.ts'
import { secret } from '../webhook/webhook-example.ts'

const described = Object.entries(publicOpenApi()['x-webhooks'] ?? {}).map(([type, item]) => {
  const operation = 'post' in item ? item.post : undefined
  const headers = (operation?.parameters ?? []).flatMap((each) => ('name' in each ? [each] : []))
  const body = operation?.requestBody as unknown as {
    readonly required: boolean
    readonly content: Record<string, { readonly examples: Record<string, { value: Sent }> }>
  }
  const sent = body.content['application/json']?.examples[type]?.value
  if (!operation || !sent) throw new Error(`no example of ${type}`)
  return { type, operation, body, sent, headers }
})

type HeaderSchema = { readonly pattern: string; readonly examples: readonly string[] }
type Sent = { readonly id: string; readonly occurred_at: string; readonly recorded_at: string }

test('generated handlers are named after the types', () => {
  expect(described.map(({ operation }) => operation.operationId)).toEqual([
    'onPayoutCompleted',
    'onPayoutFailed',
    'onPayoutCancelled',
    'onPayoutRefunded',
    'onDepositPending',
    'onDepositCredited',
    'onDepositInReview',
    'onDepositClosed',
    'onWalletBalanceLow',
    'onWalletBalanceRestored',
    'onWebhookTest',
  ])
})

test('a request needs a body and no security, and any 2xx in time accepts it', () => {
  for (const { operation, body } of described) {
    expect(operation.tags).toEqual(['Events'])
    expect(body.required).toBe(true)
    expect(operation.security).toEqual([])
    expect(operation.responses).toEqual({
      '2XX': { description: 'Received. Answer within 10 seconds and work afterwards.' },
    })
  }
})

test.each(described)('the example of $type is signed after it was recorded', ({ sent, headers }) => {
  const [signature, eventId] = headers.map(({ schema }) => schema as HeaderSchema)
  const [header = ''] = signature?.examples ?? ['']
  expect(eventId?.examples).toEqual([sent.id])
  expect(new RegExp(signature?.pattern ?? '').test(header)).toBe(true)
  const sentAt = new Date(Number(header.slice(2, header.indexOf(','))) * 1_000)
  const bytes = Buffer.from(JSON.stringify(sent))
  expect(verifyWebhook([secret], header, bytes, sentAt)).toBeNull()
  const instants = [sent.occurred_at, sent.recorded_at].map(Date.parse)
  expect(Number(instants[1]) - Number(instants[0])).toBe(4)
  expect(Math.floor(Number(instants[1]) / 1_000) * 1_000).toBe(sentAt.getTime())
})

test('a signature header has a time and one v1 for each secret, and nothing around them', () => {
  const [{ headers } = { headers: [] }] = described
  const pattern = new RegExp((headers[0]?.schema as HeaderSchema | undefined)?.pattern ?? '')
  const v1 = `v1=${'0a'.repeat(32)}`
  for (const text of [`t=1,${v1}`, `t=1763650000,${v1},${v1}`]) expect(pattern.test(text), text).toBe(true)
  for (const text of [`t=,${v1}`, 't=1', `t=1,${v1}0`, `t=1,${v1.slice(0, -1)}`, ` t=1,${v1}`])
    expect(pattern.test(text), text).toBe(false)
})
