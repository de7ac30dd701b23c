import { failing, type Finding, ok, warn } from './finding.ts'
import type { ReadSettings } from './read-settings.ts'

/** Whether SQS answers, and has dead letters. */
export async function checkQueue(settings: ReadSettings): Promise<readonly Finding[]> {
  const { SQS_QUEUE_URL: queueUrl, SQS_DEAD_LETTER_URL: deadLetterUrl, SQS_ENDPOINT: endpoint } = settings
  if (queueUrl === undefined) return [ok('queue', 'not configured: workers claim deliveries from the database')]
  const { deadLetters } = await import('@quipu/sqs')
  const count = async (url: string): Promise<number> => {
    const queue = deadLetters({ queueUrl, deadLetterUrl: url, endpoint })
    try {
      return await queue.count()
    } finally {
      await queue.stop()
    }
  }
  const mend = 'Check the URL, region, credentials and rights of this process at SQS.'
  const messages = await failing('queue', mend, async () => [
    ok('queue', `answers; about ${await count(queueUrl)} messages`),
  ])
  if (deadLetterUrl === undefined) return messages
  const letters = await failing('queue.dead_letters', mend, async () => {
    const found = await count(deadLetterUrl)
    return found === 0
      ? [ok('queue.dead_letters', 'none')]
      : [warn('queue.dead_letters', `about ${found}`, 'Find why workers crash, then purge it (alert DEAD_LETTERS).')]
  })
  return [...messages, ...letters]
}
