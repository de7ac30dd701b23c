import type { KeyRing } from '@quipu/core'
import { type OwnerConnection, withOwner } from '../connection/owner-session.ts'

/**
 * Replaces the keys by which the database recognizes sign-ins: those of `OPERATOR_SIGN_IN_KEY`.
 *
 * @param connection  of the role that migrates: processes may neither read nor write them
 */
export const setSignInKeys = async (connection: OwnerConnection, keys: KeyRing): Promise<void> =>
  withOwner(connection, async (client) => {
    const values = [keys.map(({ id }) => id), keys.map(({ key }) => Buffer.from(key))]
    await client.query(
      `with given as (select * from unnest($1::text[], $2::bytea[]) g (id, key)),
         gone as (delete from quipu.sign_in_key k where not exists (select from given g where g.id = k.id))
       insert into quipu.sign_in_key (id, key) select id, key from given
       on conflict (id) do update set key = excluded.key`,
      values,
    )
  })
