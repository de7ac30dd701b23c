import { expect, test } from 'vitest'
import { type Operator, Unauthorized } from '../access/operator.ts'
import { controlEndpoints } from './control-endpoints.ts'
import type { Delivery } from './delivery.ts'
import { defaultEndpointPolicy as policy } from './endpoint.ts'
import { someEndpoint as endpoint } from './endpoint.fixture.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const reason = 'Its host asked us to stop.'
const ref = { endpointId: endpoint.id, eventId: '00000000-0000-7000-8000-000000000000' }
const delivery = { ...ref, tenantId: 'ten_1', status: 'pending' } as Delivery
const ana: Operator = { person: 'ana', tokenHash: 'hash of ana', role: 'operator' }

/** Operates on one endpoint, of which each write is recorded; all of them answer so. */
function controlling(answer?: 'not_found' | 'unauthorized') {
  const calls: unknown[][] = []
  const write =
    <R>(name: string, result: R) =>
    async (...args: unknown[]) => {
      calls.push([name, ...args])
      return answer ?? result
    }
  const endpointControl = {
    find: async (id: string) => (id === endpoint.id ? endpoint : undefined),
    pause: write('pause', 'committed' as const),
    resume: write('resume', { endpoint, requeued: 2, redelivered: 3 }),
    resend: write('resend', 'committed' as const),
  }
  const ports = { endpointControl, deliveries: { get: async () => delivery }, now: () => at }
  return { control: controlEndpoints(ports, policy), calls }
}

test('acts in the person’s name, at this instant, with the token', async () => {
  const { control, calls } = controlling()
  expect(await control.pause(ana, 'we_1', reason)).toEqual({ type: 'done', endpoint })
  expect(await control.resume(ana, 'we_1', null)).toEqual({ type: 'done', endpoint, requeued: 2, redelivered: 3 })
  expect(await control.resend(ana, ref)).toEqual({ type: 'done', delivery })
  expect(calls).toEqual([
    ['pause', endpoint, { by: 'ana', at, reason }, ana],
    ['resume', endpoint, { by: 'ana', at, reason: null }, policy, ana],
    ['resend', 'ten_1', ref, { by: 'ana', at }, ana],
  ])
})

test.each(['we_1', 'we_2'])('the endpoint %s, deleted or never there, is not found', async (id) => {
  const { control, calls } = controlling('not_found')
  const notFound = { type: 'refused', code: 'endpoint_not_found' }
  expect([await control.pause(ana, id, reason), await control.resume(ana, id, null)]).toEqual([notFound, notFound])
  expect(await control.resend(ana, { ...ref, endpointId: id })).toMatchObject({ type: 'refused' })
  expect(calls).toHaveLength(id === 'we_1' ? 3 : 0)
})

test('without a token that may write every action is unauthorized', async () => {
  const { control } = controlling('unauthorized')
  await expect(control.pause(ana, 'we_1', reason)).rejects.toThrow(Unauthorized)
  await expect(control.resume(ana, 'we_1', null)).rejects.toThrow(Unauthorized)
  await expect(control.resend(ana, ref)).rejects.toThrow(Unauthorized)
})
