export type { SqsConnection } from './connection.ts'
export { type DeadLetters, deadLetters, type DeadLettersOptions } from './dead-letters.ts'
export { ensureQueue, type QueueUrls } from './ensure-queue.ts'
export { type SqsWakeQueue, sqsWakeQueue, type SqsWakeQueueOptions } from './wake-queue.ts'
