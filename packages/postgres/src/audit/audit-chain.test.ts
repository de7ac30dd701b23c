import { auditChainContract } from '@quipu/contracts'
import type { AuditRecord } from '@quipu/core/operator'
import pg from 'pg'
import { afterAll } from 'vitest'
import { reusedStores } from '../test/reused-stores.fixture.ts'

const { open, drop } = reusedStores()
afterAll(drop)

const columns = 'id, actor, token_id, address, session, action, tenant_id, subject, at, before, after, hash'
const values = (record: AuditRecord): unknown[] => [
  record.id,
  record.actor,
  record.tokenId,
  record.address,
  record.session,
  record.action,
  record.tenantId,
  record.subject,
  record.at,
  ...[record.before, record.after].map((state) => state && JSON.stringify(state)),
  Buffer.from(record.hash, 'hex'),
]
const row = '$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12'

auditChainContract('PostgreSQL', async () => {
  const stores = await open()
  const client = new pg.Client(stores.url)
  await client.connect()
  await client.query('set session_replication_role = replica') // Disables the triggers.
  return {
    ...stores,
    forgery: {
      replace: async (id, record) => {
        const text = `update quipu.audit_log set (${columns}) = (${row}) where id = $13`
        await client.query(text, [...values(record), id])
      },
      remove: async (id) => {
        await client.query('delete from quipu.audit_log where id = $1', [id])
      },
      insert: async (record) => {
        const text = `insert into quipu.audit_log (${columns}) values (${row})`
        await client.query(text, values(record))
      },
    },
    close: async () => {
      await client.end()
      await stores.close()
    },
  }
})
