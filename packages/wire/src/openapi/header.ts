import { z } from 'zod'

const header = (name: string, description: string, example: string): z.ZodString =>
  z.string().meta({ description, examples: [example], header: { id: name } })

/** On every answer. */
export const requestIdHeader = {
  'X-Request-Id': header(
    'RequestId',
    'Names this request. Yours is kept when you send 1 to 64 of A-Z a-z 0-9 _ -.',
    'req_7f3c1f0a',
  ),
}

/** On the answer to a repeated request. */
export const replayedHeader = {
  'Idempotent-Replayed': z
    .literal('true')
    .optional()
    .meta({
      description: 'Present when an earlier request had created what is answered.',
      header: { id: 'IdempotentReplayed' },
    }),
}

/** On 429 and 503. */
export const retryAfterHeader = { 'Retry-After': header('RetryAfter', 'Seconds to wait.', '1') }

/** On 429; the last two where the limit is the tenant's own. */
export const rateLimitHeaders = {
  ...retryAfterHeader,
  RateLimit: header('RateLimit', 'What is left and when it grows.', '"writes";r=0;t=1').optional(),
  'RateLimit-Policy': header('RateLimitPolicy', 'Your limit.', '"writes";q=100;w=1').optional(),
}
