import { bind, invalid, scoped } from '@quipu/api'
import { depositToJson, mockClockToJson, mockTime, parseClockAdvance, parseMockDeposit } from '@quipu/wire'
import type { IRouter } from 'express'
import { currentKey } from '../key/current-key.ts'
import type { MockChain } from '../deposit/mock-chain.ts'
import type { PendingWork } from '../loop/pending-work.ts'
import type { KeyStates } from '../key/key-states.ts'

export type MockRoutes = {
  readonly keyStates: Pick<KeyStates, 'markDue'>
  readonly chain: Pick<MockChain, 'send'>
  readonly work: Pick<PendingWork, 'settle'>
}

/** Routes of the example server alone. */
export const mockRoutes =
  ({ keyStates, chain, work }: MockRoutes) =>
  (router: IRouter): void => {
    bind(router, '/v1/mock/clock/advance', {
      post: scoped('wallet:write', {
        body: parseClockAdvance,
        async handle(_caller, { body: seconds }) {
          const state = currentKey()
          const offsetSeconds = state.offsetSeconds + seconds
          if (offsetSeconds > mockTime.aheadSecondsMax) throw invalid([{ field: 'seconds', message: tooFar }])
          state.offsetSeconds = offsetSeconds
          await work.settle(state)
          keyStates.markDue(state)
          return { status: 200, json: mockClockToJson(state.now(), offsetSeconds) }
        },
      }),
    })
    bind(router, '/v1/mock/deposits', {
      post: scoped('wallet:write', {
        body: parseMockDeposit,
        async handle(_caller, { body: amount }) {
          return { status: 201, json: depositToJson(await chain.send(currentKey(), amount)) }
        },
      }),
    })
  }

const years = mockTime.aheadSecondsMax / (365 * 86_400)
const tooFar = `must not put the clock more than ${years} years ahead of real time`
