import { readdirSync, readFileSync } from 'node:fs'
import { tenantEventTypes } from '@quipu/core'
import { auditActions } from '@quipu/core/operator'
import { expect, test } from 'vitest'

const migrations = new URL('../../migrations/', import.meta.url)
const sql = readdirSync(migrations).map((file) => readFileSync(new URL(file, migrations), 'utf8'))

test('the functions in SQL write the actions of the core, each of them, and no other', () => {
  const names = sql.flatMap((text) => [...text.matchAll(/'([a-z_]+[.][a-z_]+)'/g)].map(([, name]) => name ?? ''))
  const others = new Set<string>([...tenantEventTypes, 'payout.rejected']) // The latter has no event.
  const written = new Set(names.filter((name) => !others.has(name) && !name.startsWith('quipu.')))
  expect([...written].toSorted()).toEqual([...auditActions].toSorted())
})
