import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Archives, openProject, pack } from './empty-project.fixture.ts'

const opened = new AsyncDisposableStack()
let archives: Archives
beforeAll(async () => {
  archives = opened.use(await pack(['core', 'memory', 'wire']))
})
afterAll(() => opened.disposeAsync())

test('the core installs dinero.js and nothing else', async () => {
  await using project = await openProject(archives, ['@quipu/core'])
  expect(project.installed.toSorted()).toEqual(['@quipu/core', 'dinero.js'])
})

test('packed archives run and compile in an empty project', async () => {
  const names = ['@quipu/core', '@quipu/memory', '@quipu/wire']
  await using project = await openProject(archives, names)
  expect(await project.run('pay-in-memory.ts')).toContain(' completed 10.203353 USDT\n')
  expect(await project.compile('pay-in-memory.ts')).toBe('')
})
