import type { Usdt } from '@quipu/core'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { integer, members } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { positiveUsdt, readUsdt } from '../json/money.ts'
import { durationText } from '../text/number-text.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'

/** The prefix of every key of the example server. @source spec §1 */
export const mockKeyPrefix = 'qpu_mock_'

const yearSeconds = 365 * 86_400

/** Delays and limits of the example server, in seconds. */
export const mockTime = {
  /** From a transfer to its confirmation. */
  confirmSeconds: 3,
  /** The most that one request may advance a clock. */
  advanceSecondsMax: yearSeconds,
  /** The most that a clock may be ahead of real time. */
  aheadSecondsMax: 10 * yearSeconds,
} as const

/** The body of `POST /v1/mock/clock/advance`, on the example server. */
export const clockAdvanceRequest = members({
  seconds: integer(1, mockTime.advanceSecondsMax).meta({
    description: `By how much this key’s clock is advanced, at most ${durationText(mockTime.advanceSecondsMax)} at once.`,
    examples: [3],
  }),
}).meta({ id: 'ClockAdvanceRequest' })

/** The body of `POST /v1/mock/deposits`, on the example server. */
export const mockDepositRequest = members({
  amount: positiveUsdt.meta({ description: 'In USDT.', examples: ['25.00'] }),
}).meta({ id: 'MockDepositRequest' })

/** Reads the body of `POST /v1/mock/clock/advance`. @returns the seconds */
export const parseClockAdvance = (body: unknown): Parsed<number> =>
  mapParsed(parse(clockAdvanceRequest, body), ({ seconds }) => seconds)

/** Reads the body of `POST /v1/mock/deposits`. @returns the amount */
export const parseMockDeposit = (body: unknown): Parsed<Usdt> =>
  mapParsed(parse(mockDepositRequest, body), ({ amount }) => readUsdt(amount))

export const mockClock = z
  .object({
    now: time.meta({ description: 'The time of this key’s clock.' }),
    offset_seconds: z.int().min(0).meta({ description: 'By how much it is ahead of real time.' }),
  })
  .meta({ id: 'MockClock' })
export type MockClockJson = z.output<typeof mockClock>

export const mockClockToJson = (now: Date, offsetSeconds: number): MockClockJson => ({
  now: instantToJson(now),
  offset_seconds: offsetSeconds,
})
