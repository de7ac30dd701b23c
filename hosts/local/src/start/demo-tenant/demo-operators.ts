import { sha256 } from '@quipu/core/adapter'
import { databaseOwner, newOperatorToken, operatorTokenDaysMax } from '@quipu/core/operator'
import { bootstrapOperatorToken, postgresStores } from '@quipu/postgres'
import { systemClock, systemIds } from '@quipu/core/system'
import { newOperatorSecret, type SecretsFile } from '../data-folder/secrets.ts'
import type { LocalDatabase } from '../postgres.ts'

/** Two people, so that one can approve what the other one proposes. */
const people = { operator_token: 'olivia', second_operator_token: 'omar' } as const

/** Issues the tokens of the two operators, and new ones in place of those that have expired or were revoked. */
export async function ensureOperators({ url }: Pick<LocalDatabase, 'url'>, secrets: SecretsFile): Promise<void> {
  const { operatorTokens, close } = postgresStores({ url, poolSize: 1 })
  try {
    for (const member of ['operator_token', 'second_operator_token'] as const) {
      const now = systemClock()
      const hashOf = (): string => sha256(secrets.get()[member])
      if (await operatorTokens.authenticate(hashOf(), now)) continue
      await secrets.update({ [member]: newOperatorSecret() })
      const [person, hash] = [people[member], hashOf()]
      const expiresAt = new Date(now.getTime() + operatorTokenDaysMax * 86_400_000)
      const request = { person, label: 'start', role: 'admin', hash, expiresAt } as const
      const id = systemIds.next('opt', now)
      const made = { id, createdAt: now, createdBy: databaseOwner, activatedAt: now }
      await bootstrapOperatorToken(url, { token: newOperatorToken(request, made), hash })
    }
  } finally {
    await close()
  }
}
