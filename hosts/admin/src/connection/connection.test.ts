import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CommandError } from '../exit.ts'
import { connectionOf } from './connection.ts'

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'quipu-admin-'))
  onTestFinished(() => rm(made, { recursive: true }))
  return made
}

async function withFile(name: string, text: string, mode = 0o600): Promise<string> {
  const file = path.join(await folder(), name)
  await writeFile(file, text)
  await chmod(file, mode)
  return file
}

test('--url is before QUIPU_OPERATOR_URL, and the end of a URL does not matter', async () => {
  const env = { QUIPU_OPERATOR_URL: 'http://one/', QUIPU_OPERATOR_TOKEN: 'token' }
  const named = { token: 'token', notice: undefined }
  expect(await connectionOf({}, env)).toEqual({ url: 'http://one', ...named })
  expect(await connectionOf({ url: 'https://two//' }, env)).toEqual({ url: 'https://two', ...named })
  await expect(connectionOf({ url: 'ftp://two' }, env)).rejects.toThrow(CommandError)
})

test('the file of a token is refused while others can read it', async () => {
  const env = { QUIPU_OPERATOR_URL: 'http://one' }
  const closed = await withFile('token', ' the-token\n')
  expect(await connectionOf({ tokenFile: closed }, env)).toMatchObject({ token: 'the-token' })
  const open = await withFile('token', 'the-token', 0o640)
  await expect(connectionOf({ tokenFile: open }, env)).rejects.toThrow(`chmod 600 ${open}`)
  await expect(connectionOf({ tokenFile: `${open}x` }, env)).rejects.toThrow('cannot be read')
})

test('without a URL the API of `start` is used, and its token goes nowhere else', async () => {
  const local = { operator_url: 'http://127.0.0.1:4001', operator_token: 'local' }
  const file = await withFile('local.json', JSON.stringify(local))
  const env = { QUIPU_DATA_DIR: path.dirname(file) }
  expect(await connectionOf({}, env)).toEqual({
    url: local.operator_url,
    token: 'local',
    notice: `Using ${file}: ${local.operator_url}`,
  })
  expect(await connectionOf({ url: 'http://other' }, env)).toMatchObject({ token: undefined })
  await expect(connectionOf({}, { QUIPU_DATA_DIR: '/nowhere' })).rejects.toThrow('QUIPU_OPERATOR_URL')
})
