import type { ViteUserConfig } from 'vitest/config'
import tests from './vitest.config.ts'

/** Writes the pictures of the operator listener into docs/images, with the database of the tests. */
const config: ViteUserConfig = {
  ...tests,
  test: { ...tests.test, include: ['hosts/api/src/test/**/write-pictures.fixture.ts'] },
}

export default config
