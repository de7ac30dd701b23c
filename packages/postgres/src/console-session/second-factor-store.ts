import type { SecondFactorStore } from '@quipu/core/operator'
import { answer } from '../answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'

// Decided by migrations/0044-sign-in.sql.

const confirmedAt = statement('second_factor.confirmed_at')`
  select f.confirmed_at as at from quipu.second_factor f where f.person = $1 and f.confirmed_at is not null`

const enrolSecondFactor = statement('enrol_second_factor')`select quipu.enrol_second_factor($1, $2, $3) as result`

const claimSecondFactor = statement('claim_second_factor')`
  select c.result, c.secret from quipu.claim_second_factor($1, $2) c`

const confirmSecondFactor = statement('confirm_second_factor')`select quipu.confirm_second_factor($1, $2, $3) as result`

const removeSecondFactor = statement('remove_second_factor')`select quipu.remove_second_factor($1, $2, $3) as result`

const listSecrets = statement('second_factor.secrets')`
  select f.person, f.secret from quipu.second_factor f order by f.person`

const renewSecondFactor = statement('renew_second_factor')`select quipu.renew_second_factor($1, $2, $3) as renewed`

type Claimed = { readonly result: 'claimed' | 'locked' | 'none' | 'unauthorized'; readonly secret: string | null }

/** Second factors in PostgreSQL. */
export function postgresSecondFactorStore(database: Database): SecondFactorStore {
  const { write } = database
  return {
    confirmedAt: async (person) => (await database.readLatest<{ at: Date }>(confirmedAt, [person]))[0]?.at,
    enrol: (by, secret, at) => answer(write, enrolSecondFactor, [credentialJson(by), secret, at]),
    claim: async (by, at) => {
      const [row] = await database.write<Claimed>(claimSecondFactor, [credentialJson(by), at])
      if (row?.result === 'claimed') return { secret: row.secret ?? '' }
      return row?.result ?? 'unauthorized'
    },
    confirm: (by, code, at) => answer(write, confirmSecondFactor, [credentialJson(by), JSON.stringify(code), at]),
    remove: (person, by, at) => answer(write, removeSecondFactor, [person, credentialJson(by), at]),
    secrets: () => database.read<{ person: string; secret: string }>(listSecrets, []),
    renew: async (person, secret, renewed) => {
      const [row] = await database.write<{ renewed: boolean }>(renewSecondFactor, [person, secret, renewed])
      return row?.renewed === true
    },
  }
}
