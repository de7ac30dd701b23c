import type { QueueAttributes } from '@quipu/sqs'
import { fail, failing, type Finding, ok, warn } from './finding.ts'
import type { ReadSettings } from './read-settings.ts'

type QueueSettings = Pick<ReadSettings, 'SQS_QUEUE_URL' | 'SQS_DEAD_LETTER_URL' | 'SQS_ENDPOINT'>

/** Reads the attributes of a queue. @throws Unavailable */
export type ReadQueue = (queueUrl: string) => Promise<QueueAttributes>

/** Whether SQS answers, hands messages over at once, and moves those of crashed workers to the dead letters. */
export async function checkQueue(
  settings: QueueSettings,
  read: ReadQueue = (url) => readAttributes(settings.SQS_ENDPOINT, url),
): Promise<readonly Finding[]> {
  const { SQS_QUEUE_URL: queueUrl, SQS_DEAD_LETTER_URL: deadLetterUrl } = settings
  if (queueUrl === undefined) return [ok('queue', 'not configured: workers claim deliveries from the database')]
  const mend = 'Check the URL, region, credentials and rights of this process at SQS.'
  let letters: QueueAttributes | undefined
  const ofLetters =
    deadLetterUrl === undefined
      ? []
      : await failing('queue.dead_letters', mend, async () => {
          letters = await read(deadLetterUrl)
          return [lettersFinding(letters.messages)]
        })
  const ofQueue = await failing('queue', mend, async () => {
    const queue = await read(queueUrl)
    return [
      ok('queue', `answers; about ${queue.messages} messages`),
      ...attributeFindings(queue),
      ...redriveFindings(queue, letters),
    ]
  })
  return [...ofQueue, ...ofLetters]
}

async function readAttributes(endpoint: string | undefined, queueUrl: string): Promise<QueueAttributes> {
  const { queueAttributes } = await import('@quipu/sqs')
  return queueAttributes({ endpoint }, queueUrl)
}

const lettersFinding = (found: number): Finding =>
  found === 0
    ? ok('queue.dead_letters', 'none')
    : warn('queue.dead_letters', `about ${found}`, 'Find why workers crash, then purge it (alert DEAD_LETTERS).')

/** The visibility timeout is not read: each receipt of a worker sets its own. */
function attributeFindings({ delaySeconds, isFifo }: QueueAttributes): readonly Finding[] {
  const findings: Finding[] = []
  if (isFifo) findings.push(fail('queue.type', 'it is a FIFO queue', 'Use a standard queue.'))
  if (delaySeconds > 0) {
    const detail = `DelaySeconds is ${delaySeconds}: the queue withholds each message for so long`
    findings.push(fail('queue.delay', detail, 'Set DelaySeconds to 0.'))
  }
  return findings
}

function redriveFindings({ deadLetterArn }: QueueAttributes, letters: QueueAttributes | undefined): readonly Finding[] {
  const mend = 'Set its RedrivePolicy to the ARN of the queue at SQS_DEAD_LETTER_URL, and maxReceiveCount to 5.'
  if (deadLetterArn === undefined)
    return [warn('queue.redrive', 'no RedrivePolicy: a message whose workers crash comes back for days', mend)]
  if (letters === undefined || deadLetterArn === letters.arn) return []
  return [fail('queue.redrive', `its RedrivePolicy names ${deadLetterArn}, not ${letters.arn}`, mend)]
}
