import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs'
import { spanContextOf } from '@quipu/tracing'

const name = 'traceparent'

/** The names of the attributes to receive. */
export const traceAttributeNames: string[] = [name]

/** The attributes of a message that a trace records. */
export const traceAttribute = (traceparent: string): Record<string, MessageAttributeValue> => ({
  [name]: { DataType: 'String', StringValue: traceparent },
})

/** @returns the `traceparent` of a received message; undefined for any other text */
export function traceparentOf({ MessageAttributes }: Message): string | undefined {
  const text = MessageAttributes?.[name]?.StringValue
  return spanContextOf(text) && text
}
