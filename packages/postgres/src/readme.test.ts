import { testDatabase } from '@quipu/embedded-postgres/testing'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('./readme.fixture.ts', import.meta.url))
const home = path.resolve(import.meta.dirname, '..')

test('the example of the README and of postgresStores runs on an empty database', async () => {
  const { url, drop } = await testDatabase({ templateName: 'empty', migrate: async () => {} })
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=source', program], {
    env: { ...process.env, DATABASE_URL: url },
  })
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z: 0 tenants\n$/)
  await drop()
})

test('the README and the docstring show the example that runs', async () => {
  const example = await readFile(program, 'utf8')
  const readme = await readFile(path.join(home, 'README.md'), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\`\n`)
  const stores = await readFile(path.join(home, 'src/stores.ts'), 'utf8')
  const docstring = example.replaceAll(/^/gm, ' * ').replaceAll(/ +$/gm, '')
  expect(stores).toContain(` * \`\`\`ts\n${docstring.slice(0, -2)} * \`\`\`\n`)
})
