import {
  managingContract,
  payingContract,
  quotingContract,
  repeatingContract,
  resumingContract,
} from '@quipu/core/testing'
import { memoryStores } from './stores.ts'

const open = async () => {
  let now = Date.parse('2026-03-04T00:00:00.000Z')
  return {
    ...memoryStores({ now: () => new Date(now) }),
    advance: async (seconds: number) => {
      now += seconds * 1000
    },
    close: async () => undefined,
  }
}

managingContract('memory', open)
quotingContract('memory', open)
payingContract('memory', open)
repeatingContract('memory', open)
resumingContract('memory', open)
