import { expect, test } from 'vitest'
import { startNameServer } from './name-server.fixture.ts'
import { publicNames, systemNames } from './resolve-name.ts'

test('a name resolves to its IPv4 addresses, then its IPv6 addresses', async () => {
  const { server } = await startNameServer({
    'both.example.com': { a: '8.8.8.8', aaaa: '2606:4700:0:0:0:0:0:1111' },
    'four.example.com': { a: '1.1.1.1' },
    'six.example.com': { aaaa: '2606:4700:0:0:0:0:0:1001' },
  })
  const resolve = publicNames([server])
  expect(await resolve('both.example.com')).toEqual(['8.8.8.8', '2606:4700::1111'])
  expect(await resolve('four.example.com')).toEqual(['1.1.1.1'])
  expect(await resolve('six.example.com')).toEqual(['2606:4700::1001'])
})

test('a name without addresses and an unknown name do not resolve', async () => {
  const { server } = await startNameServer({ 'empty.example.com': {} })
  const resolve = publicNames([server])
  await expect(resolve('empty.example.com')).rejects.toMatchObject({ code: 'ENODATA' })
  await expect(resolve('unknown.example.com')).rejects.toThrow('ENOTFOUND')
})

test('a name is queried without search domains', async () => {
  const { server, queries } = await startNameServer({})
  await expect(publicNames([server])('postgres')).rejects.toThrow('ENOTFOUND')
  expect(queries.toSorted()).toEqual(['postgres A', 'postgres AAAA'])
})

test('the lookup of the system finds localhost', async () => {
  expect(await systemNames('localhost')).toContain('127.0.0.1')
  await expect(systemNames('unknown.invalid')).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/)
})
