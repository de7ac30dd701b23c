import { spawnSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { operatorOpenApi } from '@quipu/wire'
import { signSweeps } from './sign-sweeps.ts'

const treasury = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
const tokenContract = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
/** The account m/44'/195'/0' of a test mnemonic. */
const xprv =
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi'

/** The file in the example of the operator's document. */
function exampleFile(): object {
  const { paths } = operatorOpenApi() as unknown as { paths: Record<string, never> }
  const text = JSON.stringify(paths['/operator/v1/sweep/batches/{id}/unsigned'])
  const [, file = ''] = /"file":\{"value":(\{.*?\}\]\})/.exec(text) ?? []
  return JSON.parse(file) as object
}

test('a file whose addresses are not those of the seed is not signed at all', async () => {
  const options = { treasury, tokenContract, xprv }
  await expect(signSweeps(exampleFile(), options)).rejects.toThrow('is not of the key at index 7')
})

test('the program prints nothing but an error for another file', () => {
  const file = path.resolve(import.meta.dirname, 'sign-sweeps.ts')
  const { status, stdout } = spawnSync(process.execPath, ['--conditions=source', file, treasury, tokenContract], {
    input: '{}',
    env: { ...process.env, SWEEP_XPRV: xprv },
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([1, ''])
})
