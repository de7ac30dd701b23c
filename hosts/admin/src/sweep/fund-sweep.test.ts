import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { admin, apiServer } from '../test/admin.fixture.ts'

const address = (letter: string): string => `T${letter.repeat(33)}`
const transfer = (letter: string, status: string, missing: string, problem: string | null = null) => ({
  id: `swp_${letter}`,
  address: address(letter),
  status,
  trx_missing: missing,
  problem,
})
const batch = {
  status: 200,
  body: {
    id: 'swb_1',
    transfers: [
      transfer('a', 'signed', '8.760000', 'TRX_MISSING'),
      transfer('b', 'signed', '8.760000'),
      transfer('c', 'planned', '16.937050'),
      transfer('d', 'planned', '0.000000'),
      transfer('e', 'solid', '8.760000'),
    ],
  },
}

async function newFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-fund-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return path.join(folder, 'fund.csv')
}

test('the addresses that lack TRX are a file, which is never overwritten', async () => {
  await using server = await apiServer(batch)
  const file = await newFile()
  const args = ['sweeps', 'fund', 'swb_1', '--out', file]
  expect((await admin(args, { env: server.env })).code).toBe(0)
  const rows = [`${address('a')},8.760000`, `${address('b')},8.760000`, `${address('c')},16.937050`]
  expect(await readFile(file, 'utf8')).toBe(`address,trx\n${rows.join('\n')}\n`)
  expect((await admin(args, { env: server.env })).code).toBe(2)
})

test('the file back says which addresses are funded', async () => {
  await using server = await apiServer(batch)
  const file = await newFile()
  const rows = ['a', 'b', 'c', 'e', 'f'].map((letter) => `${address(letter)},8.760000`)
  await writeFile(file, `address,trx\r\n${rows.join('\r\n')}\r\n`)
  const { code, out, error } = await admin(['sweeps', 'fund', 'swb_1', '--check', file], { env: server.env })
  const states = ['lacks TRX, 8.760000 when it was planned', 'funded', 'compared once its transfer is signed', 'funded']
  expect(out.split('\n').map((line) => line.slice(36))).toEqual([...states, 'not in this batch', ''])
  expect([code, error]).toEqual([1, 'Not known to be funded: 3 of 5 addresses.\n'])
  for (const [text, fault] of [
    ['id,trx\n', 'line 1 must be address,trx'],
    [`address,trx\n${address('a')},8.76\n`, 'line 2 must be an address'],
  ] as const) {
    await writeFile(file, text)
    const refused = await admin(['sweeps', 'fund', 'swb_1', '--check', file], { env: server.env })
    expect(refused).toMatchObject({ code: 2, error: expect.stringContaining(fault) })
  }
})
