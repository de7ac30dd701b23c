import { expect, test } from 'vitest'
import { qrPath, startOpenHubFixture } from '../openhub.fixture.ts'
import type { Switches } from '../switches/switches.ts'

test.each<readonly [Switches['used_qr'], string]>([
  ['at_confirm', '00'],
  ['08', '08'],
  ['09', '09'],
  ['14', '14'],
])('used_qr %s: a used QR is answered %s', async (used_qr, code) => {
  const { hub, ask } = await startOpenHubFixture({ switches: { used_qr } })
  const { content } = hub.issueQr({ amount_mode: 'open', scenario: 'used' })
  expect((await ask('POST', `${qrPath}/scan`, { imagen: content })).body).toMatchObject({ code })
})

test('junk is refused with 09, and no text with 02', async () => {
  const { ask } = await startOpenHubFixture()
  expect(await ask('POST', `${qrPath}/scan`, { imagen: 'junk' })).toMatchObject({ status: 200, body: { code: '09' } })
  expect(await ask('POST', `${qrPath}/scan`, { imagen: ' ' })).toMatchObject({ status: 400, body: { code: '02' } })
})

test('every reading has a reference of its own, and a planned answer', async () => {
  const { scan, ask } = await startOpenHubFixture()
  const { content, data } = await scan({ scan: 'no_name' })
  expect(data).toMatchObject({ numeroReferencia: '547261120000000001', titularDestino: '' })
  const again = await ask('POST', `${qrPath}/scan`, { imagen: ` ${content}\n` })
  expect(again.body).toMatchObject({ data: { numeroReferencia: '547261120000000002' } })
})

test('the next calls have their replies, each once', async () => {
  const { hub, scan } = await startOpenHubFixture()
  await hub.setSwitches({
    reply_next: [
      { operation: 'scan', reply: '95', times: 2 },
      { operation: 'scan', reply: 'no_data' },
    ],
  })
  const read = async (): Promise<boolean> => Object.keys((await scan()).data).length > 0
  expect([await read(), await read(), await read(), await read()]).toEqual([false, false, false, true])
})
