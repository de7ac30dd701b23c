import { expect, test } from 'vitest'
import { rolesOf } from './cluster.ts'
import type { Member, PatroniNode } from './node.ts'

/** Three nodes that all say the same, or nothing. */
function clusterOf() {
  const said: { members: readonly Member[] | undefined } = { members: undefined }
  const nodes = ['db-1', 'db-2', 'db-3'].map((name) => ({ name, cluster: async () => said.members }) as PatroniNode)
  const roles = rolesOf(nodes)
  const namesNow = async (members?: readonly (readonly [name: string, role: string])[]) => {
    said.members = members?.map(([name, role]) => ({ name, role, state: 'running' }))
    const { primary, standby, other } = await roles()
    return [primary, standby, other].map(({ name }) => name)
  }
  return namesNow
}

test('the roles are the members’, and those of before where none is said', async () => {
  const namesNow = clusterOf()
  expect(await namesNow()).toEqual(['db-1', 'db-2', 'db-3'])
  expect(
    await namesNow([
      ['db-2', 'leader'],
      ['db-3', 'sync_standby'],
      ['db-1', 'replica'],
    ]),
  ).toEqual(['db-2', 'db-3', 'db-1'])
  expect(await namesNow()).toEqual(['db-2', 'db-3', 'db-1'])
  expect(
    await namesNow([
      ['db-3', 'leader'],
      ['db-1', 'replica'],
    ]),
  ).toEqual(['db-3', 'db-1', 'db-2'])
})
