import { expect, test } from 'vitest'
import { served } from './readme.fixture.ts'

test('the program of the README makes the files of the console', async () => {
  const { page, assets } = await served()
  for (const { name } of assets) expect(page.content).toContain(`/console/assets/${name}`)
})
