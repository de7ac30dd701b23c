/**
 * The wake-up queue of @quipu/core on Amazon SQS, or anything that speaks its protocol.
 *
 * @module @quipu/sqs
 */
export type { SqsConnection } from './connection.ts'
export { type DeadLetters, deadLetters, type DeadLettersOptions } from './dead-letters.ts'
export { ensureQueue, type QueueRules, type QueueUrls } from './ensure-queue.ts'
export { type SqsWakeQueue, sqsWakeQueue, type SqsWakeQueueOptions } from './wake-queue.ts'
