import type { DeliveryRef } from '@quipu/core'
import { expect, test } from 'vitest'
import { wakeOnce } from './readme.fixture.ts'
import { delivery, refOf, useFauxqs } from './sqs.fixture.ts'

const fauxqs = useFauxqs()

test('the program of the README hands a delivery over and takes it out', async () => {
  const { server, connection } = fauxqs()
  const given = delivery()
  const sent: DeliveryRef[] = []
  const reported: Error[] = []
  const send = async (ref: DeliveryRef): Promise<void> => void sent.push(ref)
  await wakeOnce(connection, given, send, (error) => reported.push(error))
  expect({ sent, reported }).toEqual({ sent: [refOf(given)], reported: [] })
  const { ready, inflight } = server.inspectQueue('quipu-wake')?.messages ?? {}
  expect({ ready, inflight: [...(inflight ?? [])] }).toEqual({ ready: [], inflight: [] })
})
