import { expect, onTestFinished, test, vi } from 'vitest'
import { hostileAnswers, hostileHosts, impossibleHosts, localNames } from './hostile-targets.fixture.ts'
import { webhookUrlGuard } from './url-guard.ts'

const publicResolve = () => Promise.resolve(['8.8.8.8', '2606:4700::1111'])
const guard = webhookUrlGuard({ resolve: publicResolve })
const notFound = () => Promise.reject(new Error('ENOTFOUND'))
const privateAddress = 'must not lead to a private or reserved address'

test.each([
  'https://hooks.example.com/quipu?shop=1',
  'https://hooks.example.com:443/',
  'https://hooks.example.com:8443/',
  'HTTPS://HOOKS.example.com.',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]:8443/',
  'https://xn--caf-dma.example/hook',
  'https://café.example/hook',
  'https://hooks.example.com/@user?to=http://127.0.0.1/',
  'https://localhost.example.com/',
  'https://example.mylocal/',
  'https://hooks.example.com/?to=http://user@shop.example.com/',
  `https://hooks.example.com/${'a'.repeat(2048 - 26)}`,
])('%s is accepted', async (url) => {
  expect(await guard.check(url)).toBeNull()
})

test.each([
  ['', 'must begin with https://'],
  ['hooks.example.com', 'must begin with https://'],
  ['xhttps://hooks.example.com/', 'must begin with https://'],
  ['hooks.example.com/?to=https://hooks.example.com/', 'must begin with https://'],
  ['//hooks.example.com', 'must begin with https://'],
  ['http://hooks.example.com/', 'must begin with https://'],
  ['ftp://hooks.example.com/', 'must begin with https://'],
  ['file:///etc/passwd', 'must begin with https://'],
  ['javascript:alert(1)', 'must begin with https://'],
  ['https:hooks.example.com', 'must begin with https://'],
  ['https:/hooks.example.com', 'must begin with https://'],
  ['https:///hooks.example.com', 'must begin with https://'],
  ['https:///user@hooks.example.com', 'must begin with https://'],
  ['https://hooks.example.com:80/', 'must have port 443 or 8443'],
  ['https://hooks.example.com:22/', 'must have port 443 or 8443'],
  ['https://hooks.example.com:0/', 'must have port 443 or 8443'],
  ['https://hooks.example.com:65536/', 'must be a valid URL'],
  ['https://hooks.example.com:443x/', 'must be a valid URL'],
  ['https://exa_mple.com<>/', 'must be a valid URL'],
  ['https://user@hooks.example.com/', 'must not contain a user name or a password'],
  ['https://user:word@hooks.example.com/', 'must not contain a user name or a password'],
  ['https://@hooks.example.com/', 'must not contain a user name or a password'],
  ['https://:@hooks.example.com/', 'must not contain a user name or a password'],
  ['https://8.8.8.8@127.0.0.1/', 'must not contain a user name or a password'],
  ['https://8.8.8.8:443@127.0.0.1/', 'must not contain a user name or a password'],
  ['https://8.8.8.8%2f@127.0.0.1/', 'must not contain a user name or a password'],
  ['https://hooks.example.com/#', 'must not contain a fragment'],
  ['https://hooks.example.com/#part', 'must not contain a fragment'],
  ['https://8.8.8.8#@127.0.0.1/', 'must not contain a fragment'],
  ['https://8.8.8.8\\@127.0.0.1/', 'must not contain spaces, control characters or backslashes'],
  ['https:\\\\127.0.0.1/', 'must not contain spaces, control characters or backslashes'],
  [' https://hooks.example.com/', 'must not contain spaces, control characters or backslashes'],
  ['https://hooks.exam\tple.com/', 'must not contain spaces, control characters or backslashes'],
  ['https://hooks.example.com/\r\nHost: x', 'must not contain spaces, control characters or backslashes'],
  ['https://hooks.example.com/\0', 'must not contain spaces, control characters or backslashes'],
  [`https://hooks.example.com/${'a'.repeat(2048 - 25)}`, 'must be at most 2048 characters long'],
])('%j is refused: the url %s', async (url, problem) => {
  expect(await guard.check(url)).toBe(problem)
})

test.each(hostileHosts)('https://%s/ is refused as private or reserved', async (host) => {
  expect(await guard.check(`https://${host}/`)).toBe(privateAddress)
  expect(await guard.check(`https://${host}:8443/`)).toBe(privateAddress)
})

test.each(impossibleHosts)('https://%s/ is no URL', async (host) => {
  expect(await guard.check(`https://${host}/`)).toBe('must be a valid URL')
})

test.each(localNames)('%s is refused without a lookup', async (host) => {
  const resolve = vi.fn(publicResolve)
  const url = `https://${host}/`
  expect(await webhookUrlGuard({ resolve }).check(url)).toBe('must name a host on the public internet')
  expect(resolve).not.toHaveBeenCalled()
})

test.each(hostileAnswers.map((addresses) => [addresses] as const))(
  'a name that resolves to %j is refused',
  async (addresses) => {
    const { check } = webhookUrlGuard({ resolve: () => Promise.resolve(addresses) })
    expect(await check('https://hooks.example.com/')).toBe(privateAddress)
  },
)

test('a name that does not resolve yet is accepted', async () => {
  const { check } = webhookUrlGuard({ resolve: notFound })
  expect(await check('https://new.example.com/')).toBeNull()
})

test('a name whose lookup times out is accepted', async () => {
  const { check } = webhookUrlGuard({ resolve: () => new Promise(() => {}), lookupMs: 20 })
  expect(await check('https://slow.example.com/')).toBeNull()
})

test('the end of a lookup ends its timeout', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  for (const resolve of [publicResolve, notFound])
    expect(await webhookUrlGuard({ resolve }).check('https://hooks.example.com/')).toBeNull()
  expect(vi.getTimerCount()).toBe(0)
})

test('an address is not resolved', async () => {
  const resolve = vi.fn(publicResolve)
  const { check } = webhookUrlGuard({ resolve })
  for (const host of ['8.8.8.8', '[2606:4700::1111]']) expect(await check(`https://${host}/`)).toBeNull()
  expect(resolve).not.toHaveBeenCalled()
})

test('names are resolved in lower case and ASCII', async () => {
  const resolve = vi.fn(publicResolve)
  await webhookUrlGuard({ resolve }).check('https://CAFÉ.example/hook')
  expect(resolve).toHaveBeenCalledExactlyOnceWith('xn--caf-dma.example')
})

test('allowPrivate lifts scheme, port and address', async () => {
  const resolve = vi.fn(notFound)
  const { check } = webhookUrlGuard({ allowPrivate: true, resolve })
  for (const host of [...hostileHosts, ...localNames]) expect(await check(`http://${host}:4010/hook`), host).toBeNull()
  expect(await check('https://hooks.example.com:9/')).toBeNull()
  expect(resolve).not.toHaveBeenCalled()
})

test.each([
  ['ftp://localhost/', 'must begin with http:// or https://'],
  ['xhttp://localhost/', 'must begin with http:// or https://'],
  ['http://user@localhost/', 'must not contain a user name or a password'],
  ['http://localhost/#x', 'must not contain a fragment'],
  ['http://local host/', 'must not contain spaces, control characters or backslashes'],
  ['http://256.0.0.1/', 'must be a valid URL'],
  [`http://localhost/${'a'.repeat(2048)}`, 'must be at most 2048 characters long'],
])('with allowPrivate %j is still refused: the url %s', async (url, problem) => {
  expect(await webhookUrlGuard({ allowPrivate: true }).check(url)).toBe(problem)
})
