import { expect, test } from 'vitest'
import type { ApiTarget } from './checked-tenant.fixture.ts'
import { generatedProgram, generators } from './generated-clients.fixture.ts'

/** Clients that generators write from the document that the first server serves, calling every server. */
export function generatedClientSuite(servers: readonly (() => Promise<ApiTarget>)[]): void {
  test.each(generators)('a client by $name resolves, quotes, pays and reads', async (generator) => {
    const targets = await Promise.all(servers.map((open) => open()))
    const document: unknown = await (await fetch(`${targets[0]?.baseUrl}/v1/openapi.json`)).json()
    await using program = await generatedProgram(generator, document)

    for (const { baseUrl, apiKey } of targets) {
      const first = await program.run(baseUrl, apiKey)
      const second = await program.run(baseUrl, apiKey)

      expect(first, baseUrl).toMatchObject({
        resolved: { amount_mode: 'closed' },
        paid: { status: 'completed', source: first.quoted.source },
        again: first.paid,
        read: first.paid,
        refused: { status: 409, code: 'TRANSACTION_ID_REUSED' },
      })
      expect(first.refused.message, baseUrl).toMatch(/\w/)
      expect(second.pages, baseUrl).toEqual([[second.paid.id], [first.paid.id]])
    }
  })
}
