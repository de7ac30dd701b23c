import type { DeliveryRef } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { wakeOnce } from './readme.fixture.ts'
import { delivery, refOf, useFauxqs } from './sqs.fixture.ts'

const fauxqs = useFauxqs()

test('the README’s example queues a delivery and takes it', async () => {
  const { server, connection } = fauxqs()
  const queued = delivery()
  const sent: DeliveryRef[] = []
  const reported: Error[] = []
  const send = async (ref: DeliveryRef): Promise<void> => void sent.push(ref)
  await wakeOnce(connection, queued, send, (error) => reported.push(error))
  expect({ sent, reported }).toEqual({ sent: [refOf(queued)], reported: [] })
  const { ready, inflight } = server.inspectQueue('quipu-wake')?.messages ?? {}
  expect({ ready, inflight: [...(inflight ?? [])] }).toEqual({ ready: [], inflight: [] })
})
