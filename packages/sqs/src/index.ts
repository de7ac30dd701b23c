/**
 * The wake-up queue of @quipu/core on Amazon SQS, or any server with its JSON protocol.
 *
 * @module @quipu/sqs
 */
export type { SqsConnection } from './client/connection.ts'
export { type DeadLetters, deadLetters, type DeadLettersOptions } from './queue/dead-letters.ts'
export { ensureQueue, type QueueRules, type QueueUrls } from './queue/ensure-queue.ts'
export { type QueueAttributes, queueAttributes } from './queue/queue-attributes.ts'
export { type SqsWakeQueue, sqsWakeQueue, type SqsWakeQueueOptions } from './queue/wake-queue.ts'
