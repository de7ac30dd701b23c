import type { EventRecord } from '@quipu/core/adapter'
import { completed } from '../openapi/example.ts'
import { eventEnvelope } from '../webhook/webhook-example.ts'
import { encodeEvent } from './encode-event.ts'

export const event: EventRecord = { ...eventEnvelope, body: encodeEvent({ ...eventEnvelope, data: completed }) }
