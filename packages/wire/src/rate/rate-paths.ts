import { rate } from '@quipu/core'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody, parseNoQuery } from '../json/empty.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'
import { parseQuotingPause, quoting, quotingPause, quotingReport, quotingReportToJson, quotingToJson } from './rate.ts'

const tag = 'Rates'
const reason = 'Both sources follow an exchange that has halted.'
const change = { by: 'omar', at: example.at(0), reason }
const broker = { bid: rate(99_500n), source: 'broker', observedAt: example.at(-5) }
const exchange = { bid: rate(99_600n), source: 'exchange', observedAt: example.at(-20) }

const get = operation({
  id: 'getRates',
  tag,
  summary: 'Read the rate that quotes use, its sources and their agreement',
  access: 'operator',
  answers: ok('The rate, or why there is none.', quotingReport, {
    agreed: quotingReportToJson({
      at: example.at(0),
      quoting: { status: 'open', change: null },
      problem: null,
      rate: { ...exchange, bid: broker.bid, source: 'composite(broker,exchange)' },
      sources: [
        { name: 'broker', reading: broker, problem: null },
        { name: 'exchange', reading: exchange, problem: null },
      ],
      agreement: { spreadBps: 11, maxSpreadBps: 200 },
    }),
  }),
  refused: parseNoQuery('expand=tenant'),
})

const pause = operation({
  id: 'pauseRates',
  tag,
  summary: 'Pause quoting',
  description:
    'New quotes get `503 RATE_UNAVAILABLE` at once, from every process. Quotes that exist stay payable. While quoting is paused, the request changes nothing.',
  access: 'operator',
  body: { schema: quotingPause, examples: { halted: { reason } } },
  answers: ok('Quoting is paused.', quoting, { paused: quotingToJson({ status: 'paused', change }) }),
  refused: parseQuotingPause({ reason: '' }),
})

const resume = operation({
  id: 'resumeRates',
  tag,
  summary: 'Resume quoting',
  description: 'While quoting is open, the request changes nothing.',
  access: 'operator',
  body: noBody,
  answers: ok('Quoting is open.', quoting, {
    open: quotingToJson({ status: 'open', change: { ...change, reason: null } }),
  }),
  refused: parseNoBody({ reason: 'over' }),
})

export const ratePaths: ZodOpenApiPathsObject = {
  '/operator/v1/rates': { get },
  '/operator/v1/rates/pause': { post: pause },
  '/operator/v1/rates/resume': { post: resume },
}
