import type { EndpointControlStore } from '@quipu/core/operator'
import { answer, onlyRow } from '../answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import { endpointColumns, endpointFromRow, type EndpointRow } from './webhook-row.ts'

// Decided by migrations/0030-operator-controls.sql.

const pauseEndpoint = statement('pause_endpoint')`select quipu.pause_endpoint($1, $2, $3, $4, $5) as result`

const resumeEndpoint = statement('resume_endpoint')`
  select result, requeued::int, redelivered::int
  from quipu.resume_endpoint($1, $2, $3, $4, $5, $6, $7)`

const resendAsOperator = statement('resend_as_operator')`
  select quipu.resend_as_operator($1, $2, $3, $4, $5, $6) as result`

const findEndpoint = statement('webhook.find')`select ${endpointColumns} from quipu.webhook_endpoint w where w.id = $1`

type Resumed = {
  readonly result: 'committed' | 'not_found' | 'unauthorized'
  readonly requeued: number
  readonly redelivered: number
}

/** Actions of operators on endpoints, in PostgreSQL. */
export const postgresEndpointControlStore = (database: Database): EndpointControlStore => ({
  find: async (id) => {
    const [row] = await database.read<EndpointRow>(findEndpoint, [id])
    return row && endpointFromRow(row)
  },
  pause: ({ tenantId, id }, { at, reason }, by) =>
    answer(database.write, pauseEndpoint, [tenantId, id, credentialJson(by), at, reason]),
  resume: ({ tenantId, id }, { at, reason }, { redeliverSeconds }, by) =>
    database.transaction(async (query) => {
      const author = [credentialJson(by), at, reason]
      const values = [tenantId, id, ...author, redeliverSeconds, database.clockOverride()]
      const { result, ...counts } = onlyRow(await query<Resumed>(resumeEndpoint, values))
      if (result !== 'committed') return result
      // A statement does not see the changes of a function that it calls, so a second one reads the row.
      const row = onlyRow(await query<EndpointRow>(findEndpoint, [id]))
      return { endpoint: endpointFromRow(row), ...counts }
    }),
  resend: (tenantId, { endpointId, eventId }, { at }, by) => {
    const author = [credentialJson(by), at]
    const values = [tenantId, endpointId, eventId, ...author, database.clockOverride()]
    return answer(database.write, resendAsOperator, values)
  },
})
