import { type Statement, statement } from '../connection/database.ts'
import { endingTokensMax } from '@quipu/core/adapter'
import { identityProvider, tokenEndsSoonDays } from '@quipu/core/operator'

/** As the core's `tokensEndingSoon`. */
export const endingTokens: Statement = statement('backlog.ending_tokens')`
  with active as materialized (
    select t.id, t.person, t.role, t.expires_at, t.expires_at >= k.now + interval '${tokenEndsSoonDays} days' as is_late
    from (select quipu.store_now($1) as now) k join quipu.operator_token t
      on t.activated_at is not null and t.revoked_at is null and t.expires_at > k.now and t.created_by <> '${identityProvider}'
  )
  select a.id, a.person, a.role, a.expires_at as "expiresAt" from active a
  where not a.is_late and not exists (
    select from active o where o.person = a.person and o.role = a.role and o.is_late
  )
  order by a.expires_at limit ${endingTokensMax}`

/**
 * Parameter: $1 from how many seconds on a lock is old.
 *
 * A session that has no transaction, or whose transaction began long ago, holds a lock of its session. Of another
 * login role neither instant is readable, and any statement renews that of a session: so the locks without which nothing
 * is audited or recorded as a difference are seen at any age.
 */
export const heldLocks: Statement = statement('backlog.held_locks')`
  select format('session %s of %s', h.pid, h.usename) as session,
    case when bool_or(h.name = 'quipu.audit_log') then 'the lock of the audit log'
      when bool_or(h.name = 'quipu.difference') then 'the lock of the differences'
      when bool_or(h.is_old and h.locktype = 'advisory') then 'an advisory lock'
      else 'rows that it has changed' end as lock
  from (
    select a.pid, a.usename, l.locktype, (
        select n.name from unnest(array['quipu.audit_log', 'quipu.difference']) n (name)
        where l.locktype = 'advisory' and l.objsubid = 1
          and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(n.name, 0)
      ) as name,
      coalesce(clock_timestamp() - coalesce(a.xact_start, a.state_change) > make_interval(secs => $1), false) as is_old
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.granted and a.datname = current_database() and a.pid <> pg_backend_pid()
      and (l.locktype = 'advisory' or l.locktype = 'transactionid' and l.mode = 'ExclusiveLock')
      and exists (
        select from pg_roles r where r.oid = a.usesysid and not r.rolsuper and pg_has_role(r.oid, 'quipu_process', 'member')
      )
  ) h
  where h.name is not null or h.is_old
  group by h.pid, h.usename order by h.pid`
