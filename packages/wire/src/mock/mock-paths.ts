import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { deposit } from '../deposit/deposit.ts'
import { depositToJson } from '../deposit/deposit-to-json.ts'
import {
  clockAdvanceRequest,
  mockClock,
  mockClockToJson,
  mockDepositRequest,
  mockTime,
  parseClockAdvance,
  parseMockDeposit,
} from './mock.ts'
import { at } from '../openapi/example.ts'
import { deposits } from '../openapi/funding-example.ts'
import { durationText } from '../text/number-text.ts'
import { operation } from '../openapi/operation.ts'
import { created, ok } from '../openapi/answers.ts'

const tag = 'Example server'

const advance = operation({
  id: 'advanceClock',
  tag,
  summary: 'Advance this key’s clock',
  description: `Each key has a clock of its own: real time plus what it was advanced by, at most ${durationText(mockTime.aheadSecondsMax)} in all. Payouts and deposits that become due are settled before the answer; webhooks are sent after it. Only on the example server.`,
  access: { scope: 'wallet:write' },
  body: { schema: clockAdvanceRequest, examples: { seconds: { seconds: 3 } } },
  answers: ok('The clock.', mockClock, { clock: mockClockToJson(at(3), 3) }),
  refused: parseClockAdvance({ seconds: 0.5 }),
})

const send = operation({
  id: 'mockDeposit',
  tag,
  summary: 'Send USDT to this key’s top-up address',
  description: `The deposit is \`pending\`, and after ${mockTime.confirmSeconds} seconds of the key’s clock \`credited\`; or \`in_review\`, when it is below the minimum or too large to be credited by itself. Only on the example server.`,
  access: { scope: 'wallet:write' },
  body: { schema: mockDepositRequest, examples: { amount: { amount: '25.00' } } },
  answers: created('The deposit.', deposit, { pending: depositToJson(deposits.pending) }),
  refused: parseMockDeposit({ amount: '-1' }),
})

/** Operations of the example server alone. */
export const mockPaths: ZodOpenApiPathsObject = {
  '/v1/mock/clock/advance': { post: advance },
  '/v1/mock/deposits': { post: send },
}
