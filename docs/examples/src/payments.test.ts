import { createQuote } from '@quipu/core'
import { expect, test } from 'vitest'
import { openExample } from './core-examples.fixture.ts'
import { payments } from './payments.ts'

test('an order is paid once, and its quote pays no other', async () => {
  const { ports, tenant, qr } = await openExample()
  const quoted = await createQuote(ports, { lifeSeconds: 60 })(tenant, {
    target: qr.amount,
    resolutionId: null,
  })
  if (quoted.type === 'refused') throw new Error(quoted.code)
  const pay = payments(ports)
  const order = { quoteId: quoted.quote.id, content: qr.content, description: null }
  const first = { ...order, transactionId: 'order-1', fingerprint: 'order-1' }
  expect(await pay(tenant, first)).toBe('completed')
  expect(await pay(tenant, first)).toBe('completed')
  const second = { ...order, transactionId: 'order-2', fingerprint: 'order-2' }
  expect(await pay(tenant, second)).toBe('QUOTE_ALREADY_USED')
})
