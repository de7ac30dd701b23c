import { expect, test } from 'vitest'
import { temporaryFolder } from '../../folder.fixture.ts'
import { clientSecret, getToken, startOpenHubFixture } from '../openhub.fixture.ts'

const unknown = '547261120000000999'

test('a token is answered 201, or 200, with its life', async () => {
  const { hub, renew } = await startOpenHubFixture({ switches: { token_life_seconds: 90 } })
  expect(await renew()).toEqual({
    status: 201,
    body: { access_token: expect.stringMatching(/^[0-9a-f-]{36}$/), token_type: 'access_token', expires_in: 90 },
  })
  await hub.setSwitches({ token_status: 200 })
  expect((await renew()).status).toBe(200)
})

test('other credentials, another grant and a refusal are answered 401', async () => {
  const { hub, renew } = await startOpenHubFixture()
  const refused = { status: 401, body: { error: 'invalid_client' } }
  expect(await getToken(hub.url, 'wrong')).toMatchObject(refused)
  expect(await getToken(hub.url, clientSecret, '')).toMatchObject(refused)
  await hub.setSwitches({ token_refused: true })
  expect(await renew()).toMatchObject(refused)
})

test('a token ends with its life, by a control, and by a newer one if tokens are single', async () => {
  const { hub, renew, status, step } = await startOpenHubFixture({ switches: { token_life_seconds: 60 } })
  const isAccepted = async (): Promise<boolean> => (await status(unknown)).status === 200
  step(59_999)
  expect(await isAccepted()).toBe(true)
  step(1)
  expect(await isAccepted()).toBe(false)
  await renew()
  expect(await isAccepted()).toBe(true)
  hub.endTokens()
  expect(await isAccepted()).toBe(false)
  await renew()
  await getToken(hub.url, clientSecret)
  expect(await isAccepted()).toBe(true)
  await hub.setSwitches({ token_single: true })
  expect(await isAccepted()).toBe(false)
})

test('a token is valid after a restart', async () => {
  const storage = await temporaryFolder()
  const before = await startOpenHubFixture({ storage })
  const token = String((await before.renew()).body['access_token'])
  await before.hub.stop()
  const { hub } = await startOpenHubFixture({ storage })
  const headers = { access_token: token, client_id: 'client' }
  expect((await fetch(`${hub.url}/payout/sync/v3/qr/status/${unknown}`, { headers })).status).toBe(200)
  const forged = { access_token: token.replace(/.$/, (last) => (last === '0' ? '1' : '0')), client_id: 'client' }
  expect((await fetch(`${hub.url}/payout/sync/v3/qr/status/${unknown}`, { headers: forged })).status).toBe(401)
})
