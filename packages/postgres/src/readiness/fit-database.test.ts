import type { Timer } from '@quipu/core'
import { openProxy } from '@quipu/embedded-postgres'
import { expect, test } from 'vitest'
import { refuseUnfitDatabase, UnfitRole } from './fit-database.ts'
import { openStoreHarness } from '../test/stores.fixture.ts'

const unused: Timer = () => {
  throw new Error('the database has answered')
}
const inProduction = (url: string, timer = unused) => refuseUnfitDatabase({ url, isProduction: true }, timer)

const asRole = (url: string, role: string): string => {
  const changed = new URL(url)
  changed.username = role
  return changed.href
}

test('production refuses superusers, their members, the owner, and roles that may write a table', async () => {
  const { stores, sql, close } = await openStoreHarness()
  const roles = ['plain', 'member', 'owner', 'writer', 'column_writer', 'foreign'].map(
    (kind) => `${kind}_${process.pid}`,
  )
  const [plain = '', member = '', owner = '', writer = '', columnWriter = '', foreign = ''] = roles
  for (const role of roles) await sql(`create role ${role} login in role quipu_process`)
  await sql(`revoke quipu_process from ${foreign}`)
  await sql(`grant postgres to ${member}`)
  await sql(`grant quipu_owner to ${owner} with inherit false, set true`)
  await sql(`grant delete on quipu.ledger_check to ${writer}`)
  await sql(`grant update (rechecked) on quipu.ledger_check to ${columnWriter}`)

  await refuseUnfitDatabase({ url: stores.url, isProduction: false }, unused)
  await expect(inProduction(stores.url)).rejects.toThrow(UnfitRole)
  await expect(inProduction(stores.url)).rejects.toThrow(
    /^DATABASE_URL: the role postgres has the rights of a superuser, which production refuses/,
  )
  await expect(inProduction(asRole(stores.url, member))).rejects.toThrow('of a superuser')
  await expect(inProduction(asRole(stores.url, owner))).rejects.toThrow('owns the tables')
  for (const role of [writer, columnWriter])
    await expect(inProduction(asRole(stores.url, role))).rejects.toThrow(
      `the role ${role} may write the table ledger_check, which production refuses`,
    )
  await inProduction(asRole(stores.url, plain))
  // A session can undo `set role`.
  const disguised = new URL(stores.url)
  disguised.searchParams.set('options', `-c role=${plain}`)
  await expect(inProduction(disguised.href)).rejects.toThrow('the role postgres has')
  for (const isProduction of [true, false])
    await expect(refuseUnfitDatabase({ url: asRole(stores.url, foreign), isProduction }, unused)).rejects.toThrow(
      `grant quipu_process to ${foreign};`,
    )

  await close()
})

test('a database that does not answer at the start is checked and refused once it does', async () => {
  const { stores, close } = await openStoreHarness()
  const proxy = await openProxy(stores.url)
  await proxy.shut()
  const paused: number[] = []
  const timer: Timer = (ms) => {
    paused.push(ms)
    return { done: paused.length < 2 ? Promise.resolve() : proxy.open(), cancel: () => {} }
  }

  const { refusedLater } = await inProduction(proxy.url, timer)

  await expect(refusedLater).rejects.toThrow(UnfitRole)
  expect(paused).toEqual([1_000, 1_000])
  await proxy.shut()
  await close()
})
