import { type Harness, testOperatorTokens } from '@quipu/contracts'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import { memoryStores } from '@quipu/memory'
import { bootstrapOperatorToken, migrate, postgresStores } from '@quipu/postgres'

/** The first instant of the stores' clocks. */
export const start: Date = new Date('2026-04-01T00:00:00.000Z')

/** Opens stores over an empty database of their own, whose clock the test moves. */
export const openStores: Readonly<Record<'memory' | 'PostgreSQL', () => Promise<Harness>>> = {
  memory: async () => {
    let now = start
    const stores = memoryStores({ now: () => now, operatorTokens: testOperatorTokens() })
    return {
      ...stores,
      advance: async (seconds) => {
        now = new Date(now.getTime() + seconds * 1000)
      },
      close: async () => {},
    }
  },
  PostgreSQL: async () => {
    let now = start
    const database = await testDatabase({ templateName: 'quipu_model', migrate: withOperators })
    const stores = postgresStores({ url: database.url, clockOverride: () => now })
    return {
      ...stores,
      advance: async (seconds) => {
        now = new Date(now.getTime() + seconds * 1000)
      },
      close: async () => {
        await stores.close()
        await database.drop()
      },
    }
  },
}

async function withOperators(url: string): Promise<void> {
  await migrate(url)
  for (const issued of testOperatorTokens()) await bootstrapOperatorToken(url, issued)
}
