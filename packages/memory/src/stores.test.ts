import { type Harness, storeContracts, useCaseContracts } from '@quipu/core/testing'
import { memoryStores } from './stores.ts'

async function open(): Promise<Harness> {
  let now = new Date('2026-03-01T00:00:00.000Z')
  return {
    ...memoryStores({ now: () => now }),
    advance: async (seconds) => {
      now = new Date(now.getTime() + seconds * 1000)
    },
    close: async () => {},
  }
}

storeContracts('memory', open)
useCaseContracts('memory', open)
