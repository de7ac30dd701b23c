import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectionOf, environmentOf, shownKey } from './connection.ts'
import { writeProfiles } from './profiles.ts'

let env: Record<string, string>
beforeAll(async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'quipu-connection-'))
  env = { XDG_CONFIG_HOME: home, QUIPU_DATA_DIR: path.join(home, 'none') }
  const [one, two] = [
    { url: 'https://one.example', key: 'key-one' },
    { url: 'https://two.example', key: 'key-two' },
  ]
  await writeProfiles(env, { current: 'one', profiles: { one, two } })
})
afterAll(() => rm(env['XDG_CONFIG_HOME'] ?? '', { recursive: true }))

const given = (more: Record<string, string>) => ({ ...env, ...more })

test.each([
  ['the current profile', {}, {}, 'https://one.example', 'key-one'],
  [
    'a named profile',
    { profile: 'two' },
    { QUIPU_API_KEY: 'k', QUIPU_API_URL: 'https://x.example' },
    'https://two.example',
    'key-two',
  ],
  ['the environment', {}, { QUIPU_API_KEY: 'k', QUIPU_API_URL: 'https://x.example/' }, 'https://x.example', 'k'],
  [
    '--url, before the environment',
    { url: 'https://y.example' },
    { QUIPU_API_KEY: 'k', QUIPU_API_URL: 'https://x.example' },
    'https://y.example',
    'k',
  ],
  ['the profile of a URL', { url: 'https://two.example' }, {}, 'https://two.example', 'key-two'],
])('the service and key of %s', async (_, options, more, url, key) => {
  expect(await connectionOf(options, given(more))).toMatchObject({ url, key })
})

test.each([
  ['a stored key goes to its own URL only', { url: 'https://other.example' }, {}, 'No key for https://other.example'],
  ['a key without a URL goes nowhere', {}, { QUIPU_API_KEY: 'k' }, 'set QUIPU_API_URL'],
  ['an unknown profile', { profile: 'constructor' }, {}, 'There is no profile constructor'],
  ['two URLs', { profile: 'one', url: 'https://two.example' }, {}, 'leave --url out'],
  ['nothing', {}, { XDG_CONFIG_HOME: '/nowhere' }, 'quipu login'],
])('%s: it is a wrong setting', async (_, options, more, message) => {
  await expect(connectionOf(options, given(more))).rejects.toThrow(message)
})

test('a key is shown by its prefix, and by its end when it is long', () => {
  expect(shownKey('qpu_test_0123456789abcdef')).toBe('qpu_test_…cdef')
  expect(shownKey('qpu_mock_me')).toBe('qpu_mock_…')
})

test('the prefix of a key names its environment', () => {
  const keys = ['qpu_live_a', 'qpu_test_live_a', 'acme_mock_live_a', 'a_live_', 'constructor']
  expect(keys.map(environmentOf)).toEqual(['production', 'sandbox', 'example', 'production', 'unknown'])
})
