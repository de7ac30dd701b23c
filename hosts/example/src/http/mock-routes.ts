import { bind, invalid, scoped } from '@quipu/api'
import {
  depositToJson,
  mockClockToJson,
  mockTime,
  parseClockAdvance,
  parseMockDeposit,
} from '@quipu/wire'
import type { IRouter } from 'express'
import { currentWorld } from '../key/current-key.ts'
import type { MockChain } from '../deposit/mock-chain.ts'
import type { OpenWork } from '../work/open-work.ts'
import type { Worlds } from '../key/key-states.ts'

export type MockRoutes = {
  readonly worlds: Pick<Worlds, 'stir'>
  readonly chain: Pick<MockChain, 'send'>
  readonly work: Pick<OpenWork, 'settle'>
}

/** What only the example server has. @source assumed */
export const mockRoutes =
  ({ worlds, chain, work }: MockRoutes) =>
  (router: IRouter): void => {
    bind(router, '/v1/mock/clock/advance', {
      post: scoped('wallet:write', {
        body: parseClockAdvance,
        async handle(_caller, { body: seconds }) {
          const world = currentWorld()
          const offsetSeconds = world.offsetSeconds + seconds
          if (offsetSeconds > mockTime.aheadSecondsMax)
            throw invalid([{ field: 'seconds', message: tooFar }])
          world.offsetSeconds = offsetSeconds
          await work.settle(world)
          worlds.stir(world)
          return { status: 200, json: mockClockToJson(world.now(), offsetSeconds) }
        },
      }),
    })
    bind(router, '/v1/mock/deposits', {
      post: scoped('wallet:write', {
        body: parseMockDeposit,
        async handle(_caller, { body: amount }) {
          return { status: 201, json: depositToJson(await chain.send(currentWorld(), amount)) }
        },
      }),
    })
  }

const years = mockTime.aheadSecondsMax / (365 * 86_400)
const tooFar = `must not put the clock more than ${years} years ahead of real time`
