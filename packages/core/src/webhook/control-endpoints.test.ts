import { expect, test } from 'vitest'
import { type Operator, Unauthorized } from '../access/operator.ts'
import { controlEndpoints } from './control-endpoints.ts'
import type { Delivery } from './delivery.ts'
import { defaultEndpointPolicy as policy } from './endpoint.ts'
import { someEndpoint } from './endpoint.fixture.ts'
import type { EndpointControlStore } from './endpoint-control.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const reason = 'Its host asked us to stop.'
const ref = { endpointId: someEndpoint.id, eventId: '00000000-0000-7000-8000-000000000000' }
const delivery: Delivery = {
  ...ref,
  tenantId: 'ten_1',
  eventType: 'payout.completed',
  createdAt: at,
  status: 'pending',
  nextAttemptAt: at,
  endedAt: null,
  attempts: [],
}
const ana: Operator = { person: 'ana', tokenHash: 'hash of ana', role: 'operator' }

/** Operates on one endpoint; each write answers as given, and is recorded with its arguments. */
function controlling(store: Partial<EndpointControlStore> = {}, found: Delivery | null = delivery) {
  const calls: unknown[][] = []
  const control = controlEndpoints(
    {
      endpointControl: {
        find: async (id) => (id === someEndpoint.id ? someEndpoint : undefined),
        pause: async (...args) => {
          calls.push(['pause', ...args])
          return store.pause?.(...args) ?? 'committed'
        },
        resume: async (...args) => {
          calls.push(['resume', ...args])
          return store.resume?.(...args) ?? { endpoint: someEndpoint, requeued: 2, redelivered: 3 }
        },
        resend: async (...args) => {
          calls.push(['resend', ...args])
          return store.resend?.(...args) ?? 'committed'
        },
      },
      deliveries: {
        get: async (tenantId, of) => (tenantId === 'ten_1' && of === ref ? (found ?? undefined) : undefined),
      },
      now: () => at,
    },
    policy,
  )
  return { control, calls }
}

const refused = (code: string) => ({ type: 'refused', code })

test('acts in the person’s name, at this instant, with the token', async () => {
  const { control, calls } = controlling()
  expect(await control.pause(ana, 'we_1', reason)).toEqual({ type: 'done', endpoint: someEndpoint })
  expect(await control.resume(ana, 'we_1', null)).toEqual({
    type: 'done',
    endpoint: someEndpoint,
    requeued: 2,
    redelivered: 3,
  })
  expect(await control.resend(ana, ref)).toEqual({ type: 'done', delivery })
  expect(calls).toEqual([
    ['pause', someEndpoint, { by: 'ana', at, reason }, ana],
    ['resume', someEndpoint, { by: 'ana', at, reason: null }, policy, ana],
    ['resend', 'ten_1', ref, { by: 'ana', at }, ana],
  ])
})

test('an endpoint that is paused already shows the pause that lasts', async () => {
  const { control } = controlling({ pause: async () => 'stale' })
  expect(await control.pause(ana, 'we_1', reason)).toEqual({ type: 'done', endpoint: someEndpoint })
})

test('an unknown endpoint is not found, and nothing is written', async () => {
  const { control, calls } = controlling()
  const notFound = refused('endpoint_not_found')
  expect(await control.pause(ana, 'we_2', reason)).toEqual(notFound)
  expect(await control.resume(ana, 'we_2', null)).toEqual(notFound)
  expect(await control.resend(ana, { ...ref, endpointId: 'we_2' })).toEqual(notFound)
  expect(calls).toEqual([])
})

test('an endpoint that is deleted meanwhile is not found', async () => {
  const { control } = controlling({ pause: async () => 'not_found', resume: async () => 'not_found' })
  expect(await control.pause(ana, 'we_1', reason)).toEqual(refused('endpoint_not_found'))
  expect(await control.resume(ana, 'we_1', null)).toEqual(refused('endpoint_not_found'))
})

test('without a token that may write every action is unauthorized', async () => {
  const unauthorized = async () => 'unauthorized' as const
  const { control } = controlling({ pause: unauthorized, resume: unauthorized, resend: unauthorized })
  await expect(control.pause(ana, 'we_1', reason)).rejects.toThrow(Unauthorized)
  await expect(control.resume(ana, 'we_1', null)).rejects.toThrow(Unauthorized)
  await expect(control.resend(ana, ref)).rejects.toThrow(Unauthorized)
})

test('a delivery is not resent while an attempt is scheduled, or when there is none', async () => {
  const pending = controlling({ resend: async () => 'pending' })
  expect(await pending.control.resend(ana, ref)).toEqual(refused('delivery_pending'))
  const unknown = controlling({ resend: async () => 'not_found' })
  expect(await unknown.control.resend(ana, ref)).toEqual(refused('delivery_not_found'))
  const deleted = controlling({}, null)
  expect(await deleted.control.resend(ana, ref)).toEqual(refused('delivery_not_found'))
})
