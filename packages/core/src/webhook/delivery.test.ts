import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idSource } from '../ids.ts'
import { deliveryId, eventIdOfDelivery, instantOfDelivery } from './delivery.ts'

const anyBytes = fc.uint8Array({ minLength: 10, maxLength: 10 })
const anyAt = fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
const anyEventId = fc.tuple(anyBytes, anyAt).map(([bytes, at]) => idSource(() => bytes).uuid(at))
const anyEndpoint = fc.tuple(anyBytes, anyAt).map(([bytes, at]) => idSource(() => bytes).next('we', at))

test('a delivery’s id contains its event’s id, for its own endpoint only', () => {
  fc.assert(
    fc.property(anyEventId, anyEndpoint, anyEndpoint, (eventId, endpointId, other) => {
      const id = deliveryId(endpointId, eventId)
      expect(id).toMatch(/^dlv_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
      expect(eventIdOfDelivery(endpointId, id)).toBe(eventId)
      if (other === endpointId) return
      expect(deliveryId(other, eventId)).not.toBe(id)
      expect(eventIdOfDelivery(other, id)).not.toBe(eventId)
    }),
  )
})

test('ids sort by the time of their events', () => {
  fc.assert(
    fc.property(anyEndpoint, anyBytes, anyBytes, anyAt, (endpointId, a, b, at) => {
      const later = new Date(at.getTime() + 1)
      const [first, second] = [idSource(() => a).uuid(at), idSource(() => b).uuid(later)]
      expect(deliveryId(endpointId, first) < deliveryId(endpointId, second)).toBe(true)
    }),
  )
})

test('a malformed id contains no event id', () => {
  const endpointId = 'we_01K6HZ8M00000000000000000A'
  for (const text of ['', 'dlv_', 'dlv_x', 'po_01K6HZ8M00000000000000000A', `dlv_${'Z'.repeat(26)}`])
    expect(eventIdOfDelivery(endpointId, text)).toBeUndefined()
  const id = deliveryId(endpointId, '019a8f3e-0000-7000-8000-000000000000')
  expect(eventIdOfDelivery(endpointId, id)).toBeDefined()
  for (const text of [`x${id}`, `${id}0`, ` ${id}`, `${id}\n`])
    expect(eventIdOfDelivery(endpointId, text)).toBeUndefined()
  fc.assert(
    fc.property(fc.stringMatching(/^dlv_[0-7][0-9A-HJKMNP-TV-Z]{25}$/), (id) => {
      const eventId = eventIdOfDelivery(endpointId, id)
      if (eventId !== undefined) expect(deliveryId(endpointId, eventId)).toBe(id)
    }),
  )
})

test('an id contains the instant of its event', () => {
  fc.assert(
    fc.property(anyEndpoint, anyBytes, anyAt, (endpointId, bytes, at) => {
      const eventId = idSource(() => bytes).uuid(at)
      expect(instantOfDelivery(deliveryId(endpointId, eventId))).toEqual(at)
    }),
  )
})

test('the last instant of an id is that of the year 9999', () => {
  const tail = '0'.repeat(16)
  expect(instantOfDelivery(`dlv_76EZ91ZPZZ${tail}`)).toEqual(new Date('9999-12-31T23:59:59.999Z'))
  expect(instantOfDelivery(`dlv_76EZ91ZQ00${tail}`)).toBeUndefined()
})

test('a malformed id contains no instant', () => {
  const id = deliveryId('we_1', '019a8f3e-0000-7000-8000-000000000000')
  expect(instantOfDelivery(id)).toBeDefined()
  for (const text of ['', `x${id}`, `${id}0`, `${id}\n`, id.replace('dlv', 'po')])
    expect(instantOfDelivery(text)).toBeUndefined()
})
