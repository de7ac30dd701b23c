import { type Harness, storeContracts, testOperatorTokens, testSignInKeys, useCaseContracts } from '@quipu/contracts'
import { memoryDatabase, memoryStores, memoryStoresOver } from './stores.ts'

async function open(): Promise<Harness> {
  let now = new Date('2026-04-01T00:00:00.000Z')
  return {
    ...memoryStores({ now: () => now, operatorTokens: testOperatorTokens(), signInKeys: testSignInKeys }),
    advance: async (seconds) => {
      now = new Date(now.getTime() + seconds * 1000)
    },
    close: async () => {},
  }
}

/** Every harness has a database of its own, under one and the same set of stores. */
let current = memoryDatabase(() => new Date(0))
const shared = memoryStoresOver(() => current)

async function openShared(): Promise<Harness> {
  let now = new Date('2026-04-01T00:00:00.000Z')
  current = memoryDatabase(() => now, { operatorTokens: testOperatorTokens(), signInKeys: testSignInKeys })
  return {
    ...shared,
    advance: async (seconds) => {
      now = new Date(now.getTime() + seconds * 1000)
    },
    close: async () => {},
  }
}

storeContracts('memory', open)
storeContracts('memory, one set of stores over many databases', openShared)
useCaseContracts('memory', open)
